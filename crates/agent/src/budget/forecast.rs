//! Estimates the tokens of the next request.
//!
//! Three bytes per token is a high estimate for texts in most languages, code and JSON. Once a provider has counted a request,
//! its count is used for that part, and if it was above the estimate, the rest is scaled accordingly.

use palanca_core::call::Part;
use palanca_models::{Message, ProviderState, ToolOffer, Usage, estimate_parts};

/// Bytes for one token; four is usual.
const PER_TOKEN: usize = 3;
/// Tokens around each message and each tool, as JSON has them: names of fields, ids, roles.
const AROUND: u64 = 24;
/// Bytes around each call within a message.
const AROUND_CALL: usize = 72;

/// What is known of the tokens of this run's requests.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Forecast {
    /// The last request that was counted: as foreseen without any knowledge, and as counted.
    counted: Option<(u64, u64)>,
}

impl Forecast {
    /// Tokens that this request will be; rather too many than too few.
    pub(crate) fn input(&self, messages: &[Message], offers: &[ToolOffer]) -> u64 {
        let raw = raw(messages, offers);
        let Some((raw_then, counted)) = self.counted else { return raw };
        let corrected = |raw: u64| if counted > raw_then { raw.saturating_mul(counted) / raw_then.max(1) } else { raw };
        match raw.checked_sub(raw_then) {
            Some(more) => counted.saturating_add(corrected(more)),
            None => corrected(raw),
        }
    }

    /// A provider has counted this request.
    pub(crate) fn learn(&mut self, messages: &[Message], offers: &[ToolOffer], usage: &Usage) {
        if usage.input > 0 {
            self.counted = Some((raw(messages, offers), usage.input));
        }
    }
}

fn raw(messages: &[Message], offers: &[ToolOffer]) -> u64 {
    let said = messages.iter().map(bytes_of);
    let offered =
        offers.iter().map(|offer| offer.name().len() + offer.description().len() + offer.schema().get().len());
    said.chain(offered).map(|bytes| bytes.div_ceil(PER_TOKEN) as u64 + AROUND).sum()
}

fn bytes_of(message: &Message) -> usize {
    match message {
        Message::System { text } => text.len(),
        Message::User { text, parts } => text.len() + bytes_of_parts(parts),
        Message::Assistant { text, calls, provider_state } => {
            let state = provider_state.as_ref().map_or(0, ProviderState::bytes);
            text.len()
                + state
                + calls.iter().map(|call| call.name.len() + call.arguments.len() + AROUND_CALL).sum::<usize>()
        }
        Message::Tool { content, parts, .. } => content.len() + bytes_of_parts(parts),
    }
}

fn bytes_of_parts(parts: &[Part]) -> usize {
    usize::try_from(estimate_parts(parts)).unwrap_or(usize::MAX).saturating_mul(PER_TOKEN)
}
