//! `environment/Dockerfile`, interpreted and not built.
//!
//! The root that the sandbox is given stands in for the image, and this is recorded. Understood are:
//!
//! | instruction | what becomes of it |
//! |---|---|
//! | `FROM` (one) | a substitution on record |
//! | `WORKDIR` | the folder that commands start in; created |
//! | `ENV`, `ARG` | variables, expanded in what follows |
//! | `COPY`, `ADD` of local files | copies, honouring `.dockerignore` |
//! | `RUN` | package installation with `apt-get` whose packages the root already has, removal of its lists, `mkdir -p` |
//! | `USER root` | nothing |
//! | `CMD`, `ENTRYPOINT`, `LABEL`, `EXPOSE`, `SHELL`, `VOLUME`, `STOPSIGNAL`, `MAINTAINER`, `HEALTHCHECK` | nothing: Harbor replaces the command and exposes no ports |
//!
//! Everything else needs a build and is refused by name, with its line.

mod apt;
mod copy;
mod parse;
mod plan;
mod words;

pub use apt::InstalledPackages;
pub use plan::{Copied, EnvironmentPlan, Root, plan_environment};

#[cfg(test)]
mod tests;
