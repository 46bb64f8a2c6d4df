//! `phone_call`.

use crate::operation::{Annotations, Args, Offer, Operation, ToolOptions};
use crate::people::{Phone, PhoneAction};

#[derive(Args)]
pub(crate) struct PhoneCall {
    /// `call`: someone is called and hears the message. `add_contact`: a name for a number. `list_contacts`. `remove_contact`.
    action: PhoneAction,
    /// The name of a contact; for `call` also a number with `+`. Leave out in a `call` for the usual number.
    contact: Option<String>,
    /// For `call`: what is said.
    message: Option<String>,
    /// The number in international form, such as +5491155550000: for `add_contact`, or for `call` instead of a contact.
    phone_number: Option<String>,
    /// For `call`: how often the message is said, 1 to 5.
    #[arg(rename = "loop", default = 1)]
    times: u32,
}

impl Offer for PhoneCall {
    const NAME: &'static str = "phone_call";
    const DESCRIPTION: &'static str = "Call a person by telephone and say a message, or manage the contacts: call, add_contact, list_contacts, remove_contact. A call cannot be taken back: never repeat one whose outcome is unknown.";
    const ANNOTATIONS: Annotations =
        Annotations { read_only: false, destructive: false, idempotent: false, open_world: true };

    fn operation<'a>(&'a self, options: &'a ToolOptions) -> impl Operation {
        Phone {
            action: self.action,
            contact: self.contact.as_deref(),
            message: self.message.as_deref(),
            number: self.phone_number.as_deref(),
            times: self.times,
            options,
        }
    }
}
