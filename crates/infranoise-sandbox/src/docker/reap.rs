//! Reclaiming containers that engines left behind which are gone.

use std::path::Path;

use infranoise_core::SweepId;

use super::body::{ENGINE, HOME, SANDBOX, SWEEP};
use super::create::remove;
use super::daemon::Daemon;
use super::listing::with_labels;
use crate::contract::EngineError;
use crate::local::{Reclaimed, engines, take_over};

pub(super) fn reap(
    daemon: &Daemon,
    state_dir: &Path,
    sweep: Option<&SweepId>,
) -> Result<Reclaimed, EngineError> {
    let mut wanted = vec![format!("{ENGINE}={}", daemon.flavour.name())];
    wanted.extend(sweep.map(|sweep| format!("{SWEEP}={sweep}")));
    let found = with_labels(&daemon.address, &wanted).map_err(|error| EngineError::Daemon {
        engine: daemon.flavour.name(),
        step: "list the containers".to_owned(),
        why: error.to_string(),
    })?;
    let ours = engines(state_dir);
    let mut done = Reclaimed::default();
    for container in found {
        let labels = container.labels.unwrap_or_default();
        let label = |name: &str| labels.get(name).cloned().unwrap_or_default();
        let (home, id) = (label(HOME), container.id);
        // Somebody else's state folder is somebody else's to clear up.
        if !Path::new(&home).starts_with(&ours) {
            continue;
        }
        match take_over(Path::new(&home)) {
            Ok(None) => done.living += 1,
            // The lock is ours as long as this goes on; without a folder nobody can live in it.
            Ok(Some(_)) | Err(_) => match remove(daemon, &id) {
                Ok(()) => done.sandboxes.push(label(SANDBOX)),
                Err(error) => done.left.push(format!("{}: {error}", label(SANDBOX))),
            },
        }
    }
    Ok(done)
}
