//! A panic of a search as a fault of the player.

use std::any::Any;

use banyan_core::Fault;

/// What the panic said.
pub(crate) fn fault(panic: &(dyn Any + Send)) -> Fault {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    Fault::Panicked(text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_default())
}
