//! Serves a folder, as `infranoise serve` does, without all else that the program holds: `site FOLDER ADDRESS`.

use std::time::{SystemTime, UNIX_EPOCH};

use infranoise_live::serve::{Options, Server, Stop};

fn now_ms() -> u64 {
    #[expect(clippy::disallowed_methods, reason = "a program of its own, which has to own its clock")]
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut args = std::env::args().skip(1);
    let mut next = || args.next().ok_or("usage: site FOLDER ADDRESS");
    let options = Options {
        place: next()?.into(),
        address: next()?.parse()?,
        token: None,
        hosts: Vec::new(),
        clock: now_ms,
        made_by: "site",
    };
    Server::bind(options)?.run(&Stop::default())?;
    Ok(())
}
