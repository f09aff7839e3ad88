//! Waiting for the kernel, with a bound and without a clock: pauses that double.

use std::thread::sleep;
use std::time::Duration;

/// A bounded series of pauses: half a millisecond, then twice as long each time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Patience {
    left: u32,
    pause: Duration,
}

impl Default for Patience {
    /// Two seconds in all.
    fn default() -> Self {
        Self { left: 12, pause: Duration::from_micros(500) }
    }
}

impl Patience {
    /// Pauses; `false` once there is no patience left.
    pub fn pause(&mut self) -> bool {
        if self.left == 0 {
            return false;
        }
        sleep(self.pause);
        self.left -= 1;
        self.pause *= 2;
        true
    }
}

/// Does something until it succeeds or patience is gone; then the last error and the number of attempts.
pub(crate) fn retry<T, E>(
    mut patience: Patience,
    mut attempt: impl FnMut() -> Result<T, E>,
) -> Result<T, (E, u32)> {
    let mut tries = 1;
    loop {
        match attempt() {
            Ok(done) => return Ok(done),
            Err(error) if !patience.pause() => return Err((error, tries)),
            Err(_) => tries += 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patience_ends() {
        let short = Patience { left: 3, pause: Duration::ZERO };
        assert_eq!(retry(short, || Err::<(), _>("busy")), Err(("busy", 4)));
        let mut calls = 0;
        let third = || {
            calls += 1;
            if calls == 3 { Ok(calls) } else { Err("busy") }
        };
        assert_eq!(retry(short, third), Ok(3));
    }
}
