//! The plan of a book: the first line of its file.

use std::fmt;

use banyan_core::TextError;

/// The version of the format of a book.
const VERSION: u32 = 1;
/// The first word of the file.
const BEGINS: &str = "banyan-book";
/// Prefixes of the parts of the line.
const NAMES: [&str; 5] = ["v=", "game=", "player=", "budget=", "seed="];

/// The plan of a book. Two books with equal plans that grew within the same limits are equal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BookPlan {
    /// The game.
    pub game: String,
    /// The player that searches the positions.
    pub player: String,
    /// Its budget for a position, in playouts, nodes or plies, so that the searches can be repeated.
    pub budget: String,
    /// Random seed.
    pub seed: u64,
}

impl BookPlan {
    /// Reads the first line of a book.
    ///
    /// # Errors
    /// It is not the first line of a book, or that of another version.
    pub fn read(line: &str) -> Result<BookPlan, TextError> {
        let wrong = || {
            let expected = format!("expected \"{BEGINS} v={VERSION}\" with game, player, budget and seed");
            TextError::new(format!("{line:?}"), expected, "use a file of `banyan book make`")
        };
        let words = line.strip_prefix(BEGINS).ok_or_else(wrong)?.strip_prefix(' ').ok_or_else(wrong)?;
        let words: Vec<&str> = words.split(' ').collect();
        let version = words.first().and_then(|word| word.strip_prefix(NAMES[0])).ok_or_else(wrong)?;
        if version != VERSION.to_string() {
            let found = format!("a book of version {}", version.escape_debug());
            let expected = format!("expected version {VERSION}");
            return Err(TextError::new(found, expected, "use the version of Banyan that made it"));
        }
        let part = |idx: usize| words.get(idx).and_then(|word| word.strip_prefix(NAMES[idx])).map(str::to_owned);
        let parts = || Some((part(1)?, part(2)?, part(3)?, part(4)?.parse().ok()?));
        let (game, player, budget, seed) = parts().ok_or_else(wrong)?;
        let plan = BookPlan { game, player, budget, seed };
        // A line with anything else is refused.
        if plan.to_string() == line { Ok(plan) } else { Err(wrong()) }
    }

    /// Checks that a book of the plan `found` can be continued by this one.
    ///
    /// # Errors
    /// A part differs.
    pub fn check_same(&self, found: &BookPlan) -> Result<(), TextError> {
        let parts = |plan: &BookPlan| {
            let BookPlan { game, player, budget, seed } = plan.clone();
            [("game", game), ("--player", player), ("--budget", budget), ("--seed", seed.to_string())]
        };
        let differs = parts(self).into_iter().zip(parts(found)).find(|(wanted, found)| wanted != found);
        let Some(((what, wanted), (_, found))) = differs else { return Ok(()) };
        let expected = format!("expected one of {what} {wanted}");
        let remedy = "choose another --out, or the same settings";
        Err(TextError::new(format!("a book of {what} {found}"), expected, remedy))
    }
}

/// The first line of the file.
impl fmt::Display for BookPlan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let BookPlan { game, player, budget, seed } = self;
        let [v, named, by, within, from] = NAMES;
        write!(f, "{BEGINS} {v}{VERSION} {named}{game} {by}{player} {within}{budget} {from}{seed}")
    }
}
