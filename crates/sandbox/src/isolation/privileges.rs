//! Capabilities: all are dropped, and a program that would still have one does not start.

use crate::enter::Failure;
use rustix::io::Errno;
use rustix::thread::{
    CapabilitiesSecureBits, CapabilitySet, CapabilitySets, capabilities, capability_is_in_ambient_set,
    capability_is_in_bounding_set, clear_ambient_capability_set, remove_capability_from_bounding_set, set_capabilities,
    set_capabilities_secure_bits, set_no_new_privs,
};

/// What to do about the bounding set, which only somebody with a capability can shrink.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Bounding {
    /// It must be empty.
    Empty,
    /// As far as it goes: without permitted capabilities and with `no_new_privs` nothing can be gained from it.
    AsFarAsItGoes,
}

/// Drops every capability for good and looks whether one is left.
pub(crate) fn drop_all(bounding: Bounding) -> Result<(), Failure> {
    let step = "capabilities";
    for capability in each() {
        match remove_capability_from_bounding_set(capability) {
            Ok(()) => {}
            Err(Errno::INVAL) => break,
            Err(_) if bounding == Bounding::AsFarAsItGoes => break,
            Err(error) => return Err(Failure::at(step)(error)),
        }
    }
    let locked = CapabilitiesSecureBits::NO_ROOT
        | CapabilitiesSecureBits::NO_ROOT_LOCKED
        | CapabilitiesSecureBits::NO_CAP_AMBIENT_RAISE
        | CapabilitiesSecureBits::NO_CAP_AMBIENT_RAISE_LOCKED;
    match set_capabilities_secure_bits(locked) {
        Err(error) if bounding == Bounding::Empty => return Err(Failure::at(step)(error)),
        _ => {}
    }
    clear_ambient_capability_set().map_err(Failure::at(step))?;
    let empty = CapabilitySet::empty();
    set_capabilities(None, CapabilitySets { effective: empty, permitted: empty, inheritable: empty })
        .map_err(Failure::at(step))?;
    set_no_new_privs(true).map_err(Failure::at("no_new_privs"))?;
    verify(bounding)
}

fn verify(bounding: Bounding) -> Result<(), Failure> {
    let left = capabilities(None).map_err(Failure::at("capabilities"))?;
    let mut any = !(left.effective | left.permitted | left.inheritable).is_empty();
    for capability in each() {
        let Ok(in_bounding) = capability_is_in_bounding_set(capability) else { break };
        any |= in_bounding && bounding == Bounding::Empty;
        any |= capability_is_in_ambient_set(capability).unwrap_or(true);
    }
    if any { Err(Failure::new("capabilities", "some are left")) } else { Ok(()) }
}

/// One at a time; the kernel says where they end.
fn each() -> impl Iterator<Item = CapabilitySet> {
    (0..u64::BITS).map(|bit| CapabilitySet::from_bits_retain(1 << bit))
}
