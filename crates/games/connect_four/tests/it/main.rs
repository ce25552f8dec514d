//! Connect Four against a plain array, published counts and values, and the laws.

mod collected;
mod exact;
mod knowledge;
mod lanes;
mod plain;
mod policy;
mod reasons;
mod rules;
mod text;
mod threat_playouts;
mod threats;
mod values;
