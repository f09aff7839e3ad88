//! Container engines for tests: whoever runs the tests starts them and names their sockets.

mod faults;

use std::env;
use std::path::Path;

use infranoise_sandbox::Engine;
use infranoise_sandbox::docker::{DockerConfig, DockerEngine, Flavour};

use crate::place;

/// The socket of a service that tests may use; says aloud when there is none.
#[expect(clippy::print_stderr, reason = "a test that is skipped says so")]
#[expect(clippy::disallowed_methods, reason = "whoever starts the service names it")]
pub(crate) fn address(flavour: Flavour) -> Option<String> {
    let variable = format!("INFRANOISE_TEST_{}", flavour.name().to_uppercase());
    let named = env::var(&variable).ok().filter(|address| !address.is_empty());
    if named.is_none() {
        eprintln!(
            "SKIPPED: {variable} names no service of {}; .ci/stages/45-containers starts one",
            flavour.name()
        );
    }
    named
}

pub(crate) fn config(flavour: Flavour, folder: &Path) -> Option<DockerConfig> {
    Some(DockerConfig { flavour, address: Some(address(flavour)?), local: place::config(folder) })
}

/// An engine of its own at the service of whoever runs the tests.
pub(crate) fn engine(flavour: Flavour, folder: &Path) -> Result<Engine, String> {
    let config = config(flavour, folder).ok_or("no service is named")?;
    DockerEngine::start(&config).map(Engine::Docker).map_err(|error| error.to_string())
}
