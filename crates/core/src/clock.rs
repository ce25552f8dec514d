//! The clocks of the machine. In a browser they are those of the page, since the standard library has none there; everything that runs
//! there reads time by these types, and a test of the workspace refuses the standard library's.

#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
pub use std::time::{Instant, SystemTime};
#[cfg(all(target_family = "wasm", target_os = "unknown"))]
pub use web_time::{Instant, SystemTime};
