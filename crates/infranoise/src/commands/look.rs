//! `infranoise watch` and `infranoise serve`: looking on at sweeps, also of other processes.

use std::io::IsTerminal as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use infranoise_core::StopReason;
use infranoise_live::serve::{Options, Server, Stop};
use infranoise_live::view::Status;
use infranoise_live::watch::{self, Paint};
use infranoise_live::{LiveError, find};
use infranoise_runner::clock::now_ms;
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;

use crate::cli::{Serve, Watch};
use crate::console;
use crate::error::CommandError;
use crate::exit::Exit;
use crate::sweep::MADE_BY;

pub(super) fn watch(args: &Watch) -> Result<Exit, CommandError> {
    let path = find::newest(&args.sweep).map_err(refused)?;
    if args.once {
        let width = u16::try_from(console::width()).unwrap_or(u16::MAX);
        console::data(&watch::once(&path, now_ms, MADE_BY, (width, args.height)).map_err(refused)?);
        return Ok(Exit::Done);
    }
    let stop = Arc::new(AtomicBool::new(false));
    let theirs = Arc::clone(&stop);
    on_signal(move || theirs.store(true, Ordering::Relaxed))?;
    if std::io::stdout().is_terminal() {
        let paint = Paint { colour: console::colour_out() };
        watch::screen(&path, now_ms, MADE_BY, paint, &stop).map_err(refused)?;
        return Ok(Exit::Done);
    }
    let status =
        watch::lines(&path, now_ms, MADE_BY, &stop, &mut |line| console::data(line)).map_err(refused)?;
    Ok(match status {
        Status::Stopped(StopReason::Complete) => Exit::Done,
        _ if stop.load(Ordering::Relaxed) => Exit::Interrupted,
        Status::NotBegun | Status::CatchingUp | Status::Running => Exit::Incomplete,
        Status::Abandoned | Status::Stopped(_) | Status::Gone(_) => Exit::Incomplete,
    })
}

pub(super) fn serve(args: &Serve) -> Result<Exit, CommandError> {
    let options = Options {
        place: args.place.clone(),
        address: args.bind,
        token: args.token.clone(),
        hosts: args.allow_host.clone(),
        clock: now_ms,
        made_by: MADE_BY,
    };
    let server = Server::bind(options).map_err(refused)?;
    if !server.address().ip().is_loopback() {
        console::warnings([
            "whoever has this address can read names, logs and results of these sweeps; the connection is not encrypted",
        ]);
    }
    console::say(&format!("serving {} on {}", args.place.display(), server.url()));
    console::say("it reads journals only; Ctrl-C ends it, and no sweep notices");
    let stop = Stop::default();
    let theirs = stop.clone();
    on_signal(move || theirs.stop())?;
    server.run(&stop).map_err(refused)?;
    Ok(Exit::Done)
}

/// Does something when a person or the system wants this process to end.
fn on_signal(act: impl Fn() + Send + 'static) -> Result<(), CommandError> {
    let unexpected =
        |error: std::io::Error| CommandError::new(Exit::Unexpected, format!("listen for signals: {error}"));
    let mut signals = Signals::new([SIGINT, SIGTERM, SIGHUP]).map_err(unexpected)?;
    let listen = move || signals.forever().for_each(|_| act());
    std::thread::Builder::new().name("signals".into()).spawn(listen).map(|_| ()).map_err(unexpected)
}

fn refused(error: LiveError) -> CommandError {
    match error {
        LiveError::NothingThere { .. } => CommandError::new(Exit::NothingMatched, error)
            .hint("name the folder of a sweep, or one that holds sweeps"),
        LiveError::Store(error) => error.into(),
        LiveError::Listen { .. } => CommandError::usage(error).hint("choose another address with --bind"),
        LiveError::WeakToken { .. } => {
            CommandError::usage(error).hint("leave --token out: a good one is made and printed")
        }
        LiveError::Read { .. } | LiveError::Terminal(_) | LiveError::NoRandomness(_) => {
            CommandError::new(Exit::Unexpected, error)
        }
    }
}
