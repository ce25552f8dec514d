//! Evaluators that are functions of Python.

use std::sync::{Arc, Mutex, PoisonError};

use banyan_core::{PlaneBatch, PlaneEvaluator, TextError};
use numpy::{PyArray1, PyArrayMethods, PyReadonlyArrayDyn};
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use crate::error::raised;

/// The exception that an evaluator raised, if it did.
#[derive(Clone, Default)]
pub(crate) struct Failure(Arc<Mutex<Option<PyErr>>>);

impl Failure {
    pub(crate) fn is_some(&self) -> bool {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).is_some()
    }

    pub(crate) fn take(&self) -> Option<PyErr> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    fn keep(&self, err: PyErr) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(err);
    }
}

/// A function that takes planes, `[n, channels, rows, columns]`, and returns values, `[n]`, or values and priors, `[n, actions]`.
pub(crate) struct FromPython {
    function: Arc<Py<PyAny>>,
    gives_priors: bool,
    failure: Failure,
}

impl FromPython {
    /// Calls it for one position, which shows whether it gives priors.
    pub(crate) fn new(py: Python<'_>, function: Py<PyAny>, one: &PlaneBatch<'_>) -> PyResult<FromPython> {
        let (mut values, mut priors) = ([0.0], vec![1.0; one.n_actions]);
        let gives_priors = call(py, &function, one, &mut values, &mut priors)?;
        Ok(FromPython { function: Arc::new(function), gives_priors, failure: Failure::default() })
    }

    pub(crate) fn failure(&self) -> Failure {
        self.failure.clone()
    }
}

impl PlaneEvaluator for FromPython {
    fn evaluate(&mut self, batch: &PlaneBatch<'_>, values: &mut [f32], priors: &mut [f32]) {
        // After the first exception the search ends as soon as it looks.
        if self.failure.is_some() {
            return;
        }
        if let Err(err) = Python::attach(|py| call(py, &self.function, batch, values, priors)) {
            self.failure.keep(err);
        }
    }

    fn gives_priors(&self) -> bool {
        self.gives_priors
    }

    fn fork(&self, _thread: u32) -> Box<dyn PlaneEvaluator> {
        let (function, failure) = (Arc::clone(&self.function), self.failure.clone());
        Box::new(FromPython { function, gives_priors: self.gives_priors, failure })
    }
}

/// Calls the function; returns whether it gave priors.
fn call(
    py: Python<'_>,
    function: &Py<PyAny>,
    batch: &PlaneBatch<'_>,
    values: &mut [f32],
    priors: &mut [f32],
) -> PyResult<bool> {
    let planes = PyArray1::from_slice(py, batch.planes).reshape(batch.shape)?;
    let answer = function.bind(py).call1((planes,))?;
    let pair = answer.cast::<PyTuple>().ok().filter(|pair| pair.len() == 2);
    let n = batch.shape[0];
    match &pair {
        Some(pair) => {
            fill(py, "values", &pair.get_item(0)?, &[n], values)?;
            fill(py, "priors", &pair.get_item(1)?, &[n, batch.n_actions], priors)?;
        }
        None => fill(py, "values", &answer, &[n], values)?,
    }
    Ok(pair.is_some())
}

/// Copies an array of numbers of this shape.
fn fill(py: Python<'_>, name: &str, given: &Bound<'_, PyAny>, shape: &[usize], out: &mut [f32]) -> PyResult<()> {
    let array = match given.extract::<PyReadonlyArrayDyn<'_, f32>>() {
        Ok(array) => array,
        Err(_) => converted(py, name, given)?,
    };
    if array.as_array().shape() != shape {
        let found = format!("{name} of the evaluator: shape {:?}", array.as_array().shape());
        return Err(raised(TextError::new(found, format!("expected {shape:?}"), "return one for each position")));
    }
    for (out, &number) in out.iter_mut().zip(array.as_array().iter()) {
        if !number.is_finite() {
            let found = format!("{name} of the evaluator: {number}");
            return Err(raised(TextError::new(found, "expected finite numbers", "look at its output")));
        }
        *out = number;
    }
    Ok(())
}

/// Numbers of another type, or in lists.
fn converted<'py>(py: Python<'py>, name: &str, given: &Bound<'py, PyAny>) -> PyResult<PyReadonlyArrayDyn<'py, f32>> {
    let numpy = py.import("numpy")?;
    let array = numpy.call_method1("asarray", (given, numpy.getattr("float32")?));
    array.and_then(|array| array.extract()).map_err(|_| {
        let found =
            format!("{name} of the evaluator: {}", given.get_type().name().map_or("?".into(), |n| n.to_string()));
        raised(TextError::new(found, "expected an array of numbers", "return a numpy array"))
    })
}
