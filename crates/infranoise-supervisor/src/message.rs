//! What an engine and the supervisor say to each other, one message per datagram.

use crate::codec::{Malformed, Reader, Writer};

/// The descriptor on which the supervisor finds its control socket.
pub const CONTROL_FD: i32 = 3;
/// The descriptor on which the supervisor finds the empty file for its records.
pub const RECORDS_FD: i32 = 4;

/// What the supervisor is asked to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Request {
    /// Start a command. With the message come descriptors: first the one that takes its output, then the control-group files that it
    /// joins by writing `0` before it becomes the program.
    Start(Command),
}

/// A command to start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Command {
    /// Its number in the sandbox.
    pub id: u32,
    /// Program and arguments.
    pub argv: Vec<String>,
    /// Its whole environment.
    pub env: Vec<(String, String)>,
    /// Its working folder.
    pub cwd: String,
}

/// What is said about a sandbox: by the launcher, by the process that becomes its pid 1, and then by the supervisor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Report {
    /// The launcher made the process that becomes pid 1; its pidfd comes with the message.
    Cloned {
        /// Its process id on the host.
        pid: i32,
    },
    /// A step before the supervisor started failed; the sandbox is gone.
    Failed {
        /// Which step.
        step: String,
        /// What the system said.
        errno: i32,
    },
    /// The supervisor is there.
    Hello {
        /// What it could not do here, in sentences.
        gaps: Vec<String>,
    },
    /// A command was started.
    Started {
        /// Its number.
        id: u32,
        /// Its process id inside.
        pid: u32,
    },
    /// A command could not be started.
    Refused {
        /// Its number.
        id: u32,
        /// What the system said.
        errno: i32,
    },
    /// A command ended.
    Ended {
        /// Its number.
        id: u32,
        /// How.
        ending: Ending,
    },
}

/// How a command's own process ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// By itself.
    Code(i32),
    /// By a signal.
    Signal(i32),
}

impl Request {
    /// As bytes.
    #[must_use]
    pub fn encode(&self) -> Vec<u8> {
        match self {
            Self::Start(command) => Writer::tagged(1)
                .number(command.id)
                .texts(&command.argv)
                .pairs(&command.env)
                .text(&command.cwd)
                .done(),
        }
    }

    /// From bytes.
    ///
    /// # Errors
    /// If they are not exactly one request.
    pub fn decode(bytes: &[u8]) -> Result<Self, Malformed> {
        let (tag, mut reader) = Reader::tagged(bytes)?;
        let request = match tag {
            1 => Self::Start(Command {
                id: reader.number()?,
                argv: reader.texts()?,
                env: reader.pairs()?,
                cwd: reader.text()?,
            }),
            _ => return Err(Malformed),
        };
        reader.end()?;
        Ok(request)
    }
}

impl Report {
    /// As bytes.
    #[must_use]
    pub fn encode(&self) -> Vec<u8> {
        match self {
            Self::Cloned { pid } => Writer::tagged(1).signed(*pid).done(),
            Self::Failed { step, errno } => Writer::tagged(2).text(step).signed(*errno).done(),
            Self::Hello { gaps } => Writer::tagged(3).texts(gaps).done(),
            Self::Started { id, pid } => Writer::tagged(4).number(*id).number(*pid).done(),
            Self::Refused { id, errno } => Writer::tagged(5).number(*id).signed(*errno).done(),
            Self::Ended { id, ending: Ending::Code(code) } => {
                Writer::tagged(6).number(*id).signed(*code).done()
            }
            Self::Ended { id, ending: Ending::Signal(signal) } => {
                Writer::tagged(7).number(*id).signed(*signal).done()
            }
        }
    }

    /// From bytes.
    ///
    /// # Errors
    /// If they are not exactly one report.
    pub fn decode(bytes: &[u8]) -> Result<Self, Malformed> {
        let (tag, mut reader) = Reader::tagged(bytes)?;
        let report = match tag {
            1 => Self::Cloned { pid: reader.signed()? },
            2 => Self::Failed { step: reader.text()?, errno: reader.signed()? },
            3 => Self::Hello { gaps: reader.texts()? },
            4 => Self::Started { id: reader.number()?, pid: reader.number()? },
            5 => Self::Refused { id: reader.number()?, errno: reader.signed()? },
            6 => Self::Ended { id: reader.number()?, ending: Ending::Code(reader.signed()?) },
            7 => Self::Ended { id: reader.number()?, ending: Ending::Signal(reader.signed()?) },
            _ => return Err(Malformed),
        };
        reader.end()?;
        Ok(report)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reports() -> Vec<Report> {
        vec![
            Report::Cloned { pid: 4711 },
            Report::Failed { step: "mount /proc".to_owned(), errno: 13 },
            Report::Hello { gaps: vec!["a gap".to_owned(), String::new()] },
            Report::Started { id: 0, pid: 2 },
            Report::Refused { id: 7, errno: 2 },
            Report::Ended { id: u32::MAX, ending: Ending::Code(255) },
            Report::Ended { id: 1, ending: Ending::Signal(9) },
        ]
    }

    fn start() -> Request {
        Request::Start(Command {
            id: 3,
            argv: vec!["sh".to_owned(), "-c".to_owned(), "echo ä; exit 3".to_owned()],
            env: vec![("A".to_owned(), String::new()), ("B".to_owned(), "x=y\n".to_owned())],
            cwd: "/".to_owned(),
        })
    }

    #[test]
    fn every_message_survives_the_wire() {
        for report in reports() {
            assert_eq!(Report::decode(&report.encode()), Ok(report));
        }
        assert_eq!(Request::decode(&start().encode()), Ok(start()));
    }

    /// Every cut of a message, and the message with one byte too many.
    fn damaged(bytes: &[u8]) -> Vec<Vec<u8>> {
        let cuts = (0..bytes.len()).map(|length| bytes[..length].to_vec());
        cuts.chain([[bytes, &[0]].concat()]).collect()
    }

    #[test]
    fn cut_or_padded_messages_are_refused() {
        for bytes in reports().iter().flat_map(|report| damaged(&report.encode())) {
            assert_eq!(Report::decode(&bytes), Err(Malformed));
        }
        for bytes in damaged(&start().encode()) {
            assert_eq!(Request::decode(&bytes), Err(Malformed));
        }
    }
}
