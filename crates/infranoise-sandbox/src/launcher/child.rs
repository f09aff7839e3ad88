//! From a fresh clone to the supervisor: groups, mounts, root, privileges, exec.

use std::fs::File;
use std::io::Write;
use std::os::fd::{AsFd, OwnedFd};

use infranoise_supervisor::message::Report;
use rustix::fs::Mode;
use rustix::process::{Resource, Rlimit, Signal, set_parent_process_death_signal, setrlimit, setsid, umask};
use rustix::system::sethostname;

use super::plan::SandboxPlan;
use super::step::{Failed, Step};
use super::{Tools, mounts};
use crate::linux::{exec_descriptor, hand_over, loopback_up, own_cgroups, privileges, socket};

/// Becomes pid 1 of the sandbox; what fails is said on the control socket.
#[expect(
    clippy::exit,
    clippy::disallowed_methods,
    reason = "a clone that cannot become pid 1 has nowhere to return to"
)]
pub(super) fn become_pid_1(
    tools: &Tools,
    engine: &OwnedFd,
    plan: &SandboxPlan,
    control: &OwnedFd,
    records: &OwnedFd,
    volume: Option<&OwnedFd>,
) -> ! {
    let Failed { step, errno } = match prepare(tools, plan, control, records, volume) {
        Ok(never) => match never {},
        Err(failed) => failed,
    };
    // Held until here so that its number was not reused; the launcher's socket is of no use to a sandbox.
    let _ = engine;
    drop(socket::send(control.as_fd(), &Report::Failed { step, errno }.encode(), &[]));
    std::process::exit(1)
}

fn prepare(
    tools: &Tools,
    plan: &SandboxPlan,
    control: &OwnedFd,
    records: &OwnedFd,
    volume: Option<&OwnedFd>,
) -> Result<std::convert::Infallible, Failed> {
    set_parent_process_death_signal(Some(Signal::KILL)).step("die with the launcher")?;
    for file in &plan.join {
        let join = File::options().write(true).open(file).and_then(|mut group| group.write_all(b"0"));
        join.step(format_args!("join {}", file.display()))?;
    }
    // From here on its own groups are the top of what it can name: no path of the host's is seen inside.
    own_cgroups().step("hide the host's control groups")?;
    umask(Mode::from_raw_mode(0o022));
    mounts::enter_root(plan, volume)?;
    sethostname(plan.hostname.as_bytes()).step("set the host name")?;
    if plan.own_network {
        loopback_up().step("bring lo up")?;
    }
    setsid().step("lead a session")?;
    // A core file would land in the trial's layer and be charged to its disk.
    setrlimit(Resource::Core, Rlimit { current: Some(0), maximum: Some(0) }).step("switch core files off")?;
    let null = File::options().read(true).write(true).open("/dev/null").step("open /dev/null")?;
    let null = null.as_fd();
    let reporting = control.try_clone().step("keep the control socket")?;
    let program = tools.supervisor.try_clone().step("keep the supervisor")?;
    hand_over(&[null, null, null, reporting.as_fd(), records.as_fd()]).step("hand descriptors over")?;
    privileges::drop_privileges(plan.user_namespace).step("drop privileges")?;
    tools.filter.apply().step("filter system calls")?;
    Err(exec_descriptor(program.as_fd(), c"infranoise-supervisor")).step("start the supervisor")
}
