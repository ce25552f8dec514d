//! Converts a panic of a search into a fault of the player.

use std::any::Any;

use banyan_core::Fault;

/// The fault with the panic's message.
pub(crate) fn fault(panic: &(dyn Any + Send)) -> Fault {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    Fault::Panicked(text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_default())
}
