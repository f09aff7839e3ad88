//! What Docker and Podman do differently, as a table: everything else is the same code.

/// Which container engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flavour {
    /// Docker's daemon.
    Docker,
    /// Podman's service, which speaks Docker's language.
    Podman,
}

/// How the host's folders of programs are laid over a container's root so that it may write to them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Layering {
    /// An unnamed volume of type `overlay`, which the daemon mounts.
    OverlayVolume,
    /// A bind with the option `O`.
    OverlayBind,
}

/// One row of the table.
#[derive(Debug)]
pub(super) struct Habits {
    /// The engine's name.
    pub(super) name: &'static str,
    /// The variable that names the address, as people know it.
    pub(super) variable: &'static str,
    /// The address where none is named.
    pub(super) socket: &'static str,
    /// How it layers.
    pub(super) layering: Layering,
    /// Whether it raises limits of processes by itself, which fails for whoever may not: then they are named.
    pub(super) raises_limits: bool,
    /// How people start it.
    pub(super) way_out: &'static str,
}

impl Flavour {
    pub(super) const fn habits(self) -> &'static Habits {
        match self {
            Self::Docker => &Habits {
                name: "docker",
                variable: "DOCKER_HOST",
                socket: "unix:///var/run/docker.sock",
                layering: Layering::OverlayVolume,
                raises_limits: false,
                way_out: "start it (`systemctl start docker`), or name its socket in DOCKER_HOST",
            },
            Self::Podman => &Habits {
                name: "podman",
                variable: "CONTAINER_HOST",
                socket: "unix:///run/podman/podman.sock",
                layering: Layering::OverlayBind,
                raises_limits: true,
                way_out: "start its service (`systemctl start podman.socket`, or `podman system service --time 0 &`), or name its socket in CONTAINER_HOST",
            },
        }
    }

    /// The engine's name, as in `-e docker`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.habits().name
    }

    /// The variable that names the address of its service.
    #[must_use]
    pub const fn variable(self) -> &'static str {
        self.habits().variable
    }
}
