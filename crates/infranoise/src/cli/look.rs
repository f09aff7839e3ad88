//! Arguments of what looks on: `watch` and `serve`.

use std::net::SocketAddr;
use std::path::PathBuf;

use clap::Args;

/// `infranoise watch`
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  infranoise watch                                   the sweep in `runs` that was written last
  infranoise watch runs/my-sweep --once              one picture as text
  infranoise watch runs/my-sweep | tee log           a line now and then, until the sweep stops

It reads the journal only: the sweep, in whatever process, does not notice. Keys: q quit, p hold, arrows scroll, ? all keys.
Without a terminal the exit code is 9 if the sweep stopped before its end.")]
pub struct Watch {
    /// A sweep's folder, or a folder of sweeps (the one that was written last is taken)
    #[arg(default_value = "runs", env = "INFRANOISE_OUT")]
    pub sweep: PathBuf,
    /// Print one picture and stop
    #[arg(long)]
    pub once: bool,
    /// With --once: how many lines high
    #[arg(long, default_value_t = 40, value_parser = clap::value_parser!(u16).range(10..=500), requires = "once")]
    pub height: u16,
}

/// `infranoise serve`
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  infranoise serve                                   every sweep in `runs`, on http://127.0.0.1:4680/
  infranoise serve runs/my-sweep --bind 127.0.0.1:0  one sweep, on any free port
  infranoise serve runs --bind 0.0.0.0:4680          for others too: a token is made and printed

It reads journals only and cannot change a sweep. From elsewhere, `ssh -L 4680:127.0.0.1:4680 HOST` needs no open port.")]
pub struct Serve {
    /// A sweep's folder, or a folder of sweeps
    #[arg(default_value = "runs", env = "INFRANOISE_OUT")]
    pub place: PathBuf,
    /// Where to listen; any address but loopback needs a token
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:4680")]
    pub bind: SocketAddr,
    /// Who has it is let in (at least 16 letters and digits); made and printed if it is needed and not given
    #[arg(long, env = "INFRANOISE_TOKEN", hide_env_values = true)]
    pub token: Option<String>,
    /// A host name by which this server may be called, besides `localhost` and bare addresses; may be repeated
    #[arg(long, value_name = "NAME")]
    pub allow_host: Vec<String>,
}
