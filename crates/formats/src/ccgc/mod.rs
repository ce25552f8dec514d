//! Game records of Dots and Boxes in JSON, as the Chinese computer games championship (CCGC) keeps them.
//!
//! ```json
//! {"R":"甲","B":"乙","winner":"U","RScore":0,"BScore":0,"Date":"2022-08-06","Event":"2022 CCGC","game":[{"piece":"r(a1,h)"}]}
//! ```
//!
//! Red (`R`, `r`) and blue (`B`, `b`) play on 5x5 boxes; either may begin. `game` has an entry for each edge.

mod encoding;
mod entry;
mod record;

pub use encoding::{Encoding, decode, encode};
pub use entry::{Color, Entry};
pub use record::{Heading, Record, Winner};
