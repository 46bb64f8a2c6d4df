//! Whether a program gets network access: by its request, its text, and the operator's setting.
//!
//! | [`NetworkAccess`] | a call asks for it | its text needs it, as far as the reader knows | neither |
//! |---|---|---|---|
//! | `Off` | refused | refused, unless it may have to do with this machine alone | without |
//! | `Ask` | a person is asked | a person is asked | without |
//! | `On` | has it | has it | without |
//!
//! `yolo` mode never asks, so `Ask` is `Off` there: a mode without questions must not grant access.

use super::confirm::ConfirmMode;
use super::engine::Gate;
use crate::call::{Effect, Launch, Network};
use crate::message::Message;
use crate::ports::{CheckedCall, CommandReading, Decision, Leaves, Verdict};

/// Whether programs may have the network.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum NetworkAccess {
    /// Never.
    #[default]
    Off,
    /// A person approves each program.
    Ask,
    /// Without a separate question: mode, rules and guards decide as for any other command.
    On,
}

/// The rule that asks a person.
pub(super) const ASK: &str = "network.ask";

fn access(gate: &Gate) -> NetworkAccess {
    match (gate.network, gate.mode) {
        (NetworkAccess::Ask, ConfirmMode::Yolo) => NetworkAccess::Off,
        (access, _) => access,
    }
}

/// The network access that a program would get.
pub(super) fn of(gate: &Gate, launch: &Launch, reading: &CommandReading) -> Network {
    match reading.hosts {
        Some(_) if access(gate) != NetworkAccess::Off => Network::Open,
        _ => launch.network,
    }
}

/// The verdict on each program that has network access, or needs it and has none.
pub(super) fn judge(gate: &Gate, call: &CheckedCall) -> impl Iterator<Item = Verdict> {
    let access = access(gate);
    let unasked = gate.network == NetworkAccess::Ask && access == NetworkAccess::Off;
    let launches = call.effects().iter().filter(|effect| effect.is_command()).zip(call.commands());
    launches.filter_map(move |(effect, reading)| {
        let Effect::Run(launch) = effect else { return None };
        let hosts = reading.hosts.as_deref().unwrap_or_default().join(", ");
        let (decision, rule, key) = match (launch.network, access) {
            (Network::Open, NetworkAccess::On) => return None,
            (Network::Open, NetworkAccess::Ask) => (Decision::Ask, ASK, "network-ask"),
            (Network::Open, NetworkAccess::Off) if unasked => (Decision::Deny, "network.unasked", "network-unasked"),
            (Network::Open, NetworkAccess::Off) => (Decision::Deny, "network.off", "network-off"),
            // The loopback of its own may be all that it needs.
            (Network::None, _) if reading.hosts.is_none() || reading.leaves == Leaves::Never => return None,
            (Network::None, _) if reading.leaves == Leaves::Perhaps && unasked => {
                (Decision::Warn, "network.unasked", "network-unasked-perhaps")
            }
            (Network::None, _) if reading.leaves == Leaves::Perhaps => {
                (Decision::Warn, "network.off", "network-off-perhaps")
            }
            (Network::None, _) if unasked => (Decision::Deny, "network.unasked", "network-unasked-needed"),
            (Network::None, _) => (Decision::Deny, "network.off", "network-off-needed"),
        };
        let named = if hosts.is_empty() { "no" } else { "yes" };
        let to_model = Message::new(key).with("hosts", &hosts).with("named", named);
        Some(Verdict { decision, rule: rule.to_owned(), to_model, to_operator: format!("network: {hosts}") })
    })
}
