//! The Rust half of the Python package `banyan`: `python/banyan` has the other half and its documentation.

mod builtin;
mod error;
mod evaluator;
mod game;
mod matches;
mod search;

use pyo3::exceptions::PyImportError;
use pyo3::prelude::*;

#[pymodule]
fn _banyan(module: &Bound<'_, PyModule>) -> PyResult<()> {
    banyan_bits::cpu::check().map_err(|err| PyImportError::new_err(err.to_string()))?;
    module.add("BanyanError", module.py().get_type::<error::BanyanError>())?;
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_class::<game::Game>()?;
    module.add_class::<game::Position>()?;
    module.add_class::<matches::Folder>()?;
    module.add_function(wrap_pyfunction!(game::games, module)?)?;
    module.add_function(wrap_pyfunction!(matches::play_match, module)?)?;
    module.add_function(wrap_pyfunction!(matches::play_sweep, module)?)
}
