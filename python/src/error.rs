//! The exception of the package.

use std::fmt::Display;

use pyo3::PyErr;
use pyo3::create_exception;
use pyo3::exceptions::PyValueError;

create_exception!(banyan, BanyanError, PyValueError, "What was found, what was expected, and what to do, in one line.");

/// The exception with the text of an error.
pub(crate) fn raised(error: impl Display) -> PyErr {
    BanyanError::new_err(error.to_string())
}
