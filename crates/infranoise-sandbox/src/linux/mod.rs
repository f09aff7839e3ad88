//! The system calls that neither std nor rustix offers safely. The only `unsafe` of this crate, each block with its reason.

#![expect(
    unsafe_code,
    reason = "clone3, unshare, execveat, close_range, the ioctls of loopback and loop devices and adopting a descriptor have no safe wrapper"
)]

mod clone;
mod descriptors;
mod exec;
mod loopback;
pub(crate) mod loops;
mod namespace;
pub(crate) mod privileges;
pub(crate) mod socket;
mod user_namespace;

pub(crate) use clone::{Cloned, Namespaces, clone_into, clone3_known};
pub(crate) use descriptors::{close_from, hand_over, standard_input};
pub(crate) use exec::exec_descriptor;
pub(crate) use loopback::loopback_up;
pub(crate) use namespace::own_cgroups;
pub(crate) use user_namespace::{can_make_namespaces, new_user_namespace};
