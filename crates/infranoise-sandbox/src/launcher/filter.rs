//! The system calls that a sandbox may not make.
//!
//! A deny list, as container engines have it: what reaches the kernel itself, other namespaces, keys, handles or large unproven
//! interfaces. Denied calls fail with `EPERM`; `clone3` fails with `ENOSYS`, since its flags cannot be seen by a filter and C libraries
//! then fall back to `clone`.

use std::collections::BTreeMap;
use std::io;

use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter, SeccompRule,
    TargetArch, apply_filter,
};

/// Denied whatever the arguments.
const DENIED: &[libc::c_long] = &[
    // mounts and roots
    libc::SYS_mount,
    libc::SYS_umount2,
    libc::SYS_pivot_root,
    libc::SYS_open_tree,
    libc::SYS_move_mount,
    libc::SYS_fsopen,
    libc::SYS_fsconfig,
    libc::SYS_fsmount,
    libc::SYS_fspick,
    libc::SYS_mount_setattr,
    libc::SYS_setns,
    libc::SYS_open_by_handle_at,
    libc::SYS_fanotify_init,
    libc::SYS_quotactl,
    // keys
    libc::SYS_add_key,
    libc::SYS_request_key,
    libc::SYS_keyctl,
    // the kernel itself
    libc::SYS_bpf,
    libc::SYS_perf_event_open,
    libc::SYS_userfaultfd,
    libc::SYS_io_uring_setup,
    libc::SYS_io_uring_enter,
    libc::SYS_io_uring_register,
    libc::SYS_kexec_load,
    libc::SYS_kexec_file_load,
    libc::SYS_init_module,
    libc::SYS_finit_module,
    libc::SYS_delete_module,
    libc::SYS_reboot,
    libc::SYS_swapon,
    libc::SYS_swapoff,
    libc::SYS_syslog,
    libc::SYS_acct,
    libc::SYS_lookup_dcookie,
    libc::SYS_nfsservctl,
    libc::SYS_vhangup,
    // the host's clock
    libc::SYS_settimeofday,
    libc::SYS_clock_settime,
    libc::SYS_clock_adjtime,
    libc::SYS_adjtimex,
    // memory of other nodes and processes
    libc::SYS_move_pages,
    libc::SYS_migrate_pages,
    libc::SYS_kcmp,
    libc::SYS_pidfd_getfd,
];

#[cfg(target_arch = "x86_64")]
const DENIED_HERE: &[libc::c_long] =
    &[libc::SYS_iopl, libc::SYS_ioperm, libc::SYS_modify_ldt, libc::SYS_uselib];
#[cfg(not(target_arch = "x86_64"))]
const DENIED_HERE: &[libc::c_long] = &[];

/// The x32 calls of x86-64 have the same numbers with this bit set.
#[cfg(target_arch = "x86_64")]
const SECOND_TABLE: Option<i64> = Some(0x4000_0000);
#[cfg(not(target_arch = "x86_64"))]
const SECOND_TABLE: Option<i64> = None;

/// The compiled filters.
pub(super) struct Filters(Vec<BpfProgram>);

impl Filters {
    /// Compiles the filters for this processor.
    pub(super) fn compile() -> io::Result<Self> {
        let always = DENIED.iter().chain(DENIED_HERE).map(|call| (*call, Vec::new()));
        let new_users =
            [libc::SYS_unshare, libc::SYS_clone].map(|call| (call, vec![with_flag(libc::CLONE_NEWUSER)]));
        let denied = everywhere(always.chain(new_users));
        let unknown = everywhere([(libc::SYS_clone3, Vec::new())].into_iter());
        Ok(Self(vec![program(denied, libc::EPERM)?, program(unknown, libc::ENOSYS)?]))
    }

    /// Applies them to this process and all that it becomes.
    pub(super) fn apply(&self) -> io::Result<()> {
        self.0.iter().try_for_each(|filter| apply_filter(filter)).map_err(io::Error::other)
    }
}

type Rules = BTreeMap<i64, Vec<SeccompRule>>;

fn everywhere(rules: impl Iterator<Item = (libc::c_long, Vec<SeccompRule>)>) -> Rules {
    rules
        .flat_map(|(call, rules)| {
            let second = SECOND_TABLE.map(|bit| (call | bit, rules.clone()));
            [Some((call, rules)), second].into_iter().flatten()
        })
        .collect()
}

/// The first argument has this flag.
fn with_flag(flag: libc::c_int) -> SeccompRule {
    let flag = u64::from(flag.cast_unsigned());
    let condition = SeccompCondition::new(0, SeccompCmpArgLen::Qword, SeccompCmpOp::MaskedEq(flag), flag);
    let rule = condition.and_then(|condition| SeccompRule::new(vec![condition]));
    rule.expect("argument 0 exists, and there is one condition")
}

fn program(rules: Rules, errno: libc::c_int) -> io::Result<BpfProgram> {
    let arch = TargetArch::try_from(std::env::consts::ARCH).map_err(io::Error::other)?;
    let refuse = SeccompAction::Errno(errno.cast_unsigned());
    let filter = SeccompFilter::new(rules, SeccompAction::Allow, refuse, arch).map_err(io::Error::other)?;
    BpfProgram::try_from(filter).map_err(io::Error::other)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_filters_compile_for_this_processor() {
        let filters = Filters::compile().expect("compile");
        assert!(filters.0.iter().all(|program| !program.is_empty()));
    }
}
