//! The answers of the analysis server as data.

use banyan_catalog::view::Analysis;
use banyan_core::TextError;
use serde::Serialize;

/// An analysis of one position, during the search or after it.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Result<'a> {
    pub(super) id: &'a str,
    pub(super) turn_number: usize,
    pub(super) is_during_search: bool,
    #[serde(flatten)]
    pub(super) analysis: &'a Analysis,
}

/// The query was terminated before the search began.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct NoResult<'a> {
    pub(super) id: &'a str,
    pub(super) turn_number: usize,
    pub(super) is_during_search: bool,
    pub(super) no_results: bool,
}

/// An error.
#[derive(Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Refusal {
    pub(super) error: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) field: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) turn_number: Option<usize>,
}

/// A warning about an ignored field.
#[derive(Debug, Serialize)]
pub(super) struct Warning {
    pub(super) warning: String,
    pub(super) field: String,
    pub(super) id: String,
}

impl Refusal {
    /// An error in one field.
    pub(super) fn of_field(field: &str, err: &TextError) -> Refusal {
        Refusal { error: err.to_string(), field: Some(field.to_owned()), ..Refusal::default() }
    }
}

/// The confirmation of an action.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Done<'a> {
    pub(super) id: &'a str,
    pub(super) action: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) version: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) terminate_id: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) turn_numbers: Option<&'a [usize]>,
}
