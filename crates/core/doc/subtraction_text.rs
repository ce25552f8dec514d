use banyan_core::{Notation, TextError, TextErrorKind};

impl Notation for Subtraction {
    const NAME: &'static str = "subtraction";
    const SUMMARY: &'static str = "take one to three stones, the last one wins; options: the stones, 21 by default";

    fn from_options(options: &str) -> Result<Subtraction, TextError> {
        let refused = || TextError::new(options, "expected 1 .. 999 stones", "try 21");
        let stones = if options.is_empty() { Ok(21) } else { options.parse() };
        let stones = stones.ok().filter(|stones| (1..=999).contains(stones));
        stones.map(|stones| Subtraction { stones }).ok_or_else(|| refused().of_kind(TextErrorKind::InvalidValue))
    }
    fn options(&self) -> String {
        if self.stones == 21 { String::new() } else { self.stones.to_string() }
    }
    fn print_move(&self, _: &(u16, u16), taken: u8) -> String {
        taken.to_string()
    }
    fn print_position(&self, (stones, ply): &(u16, u16)) -> String {
        format!("{stones}/{ply}")
    }
    fn parse_position(&self, text: &str) -> Result<(u16, u16), TextError> {
        let parts = text.split_once('/').and_then(|(stones, ply)| Some((stones.parse().ok()?, ply.parse().ok()?)));
        // Each move takes one to three stones.
        let is_reached = |&(stones, ply): &(u16, u16)| {
            self.stones.checked_sub(stones).is_some_and(|taken| (ply..=ply.saturating_mul(3)).contains(&taken))
        };
        let state = parts.filter(is_reached).filter(|state| self.print_position(state) == text);
        state.ok_or_else(|| TextError::new(text, "expected stones and plies", "try 12/3"))
    }
}
