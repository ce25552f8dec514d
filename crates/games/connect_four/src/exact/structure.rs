//! The structure of a position in words: the winning cells of both sides with the parity of their rows, a strategy that decides, and threats
//! that decide within two moves.

use banyan_core::{Fact, Fill, Game, Margin, Notation, Part, Side, Structure};

use super::strategy::FollowUp;
use crate::{ConnectFour, Grid, State, Threats};

impl<B: Grid> ConnectFour<B> {
    /// The structure of a position that is not over, for [`Notation::structure`].
    pub(crate) fn structure_in_words(&self, state: &State<B>) -> Structure {
        let threats = self.threats(state);
        let mover = self.to_move(state);
        let wins = |side: Side| if side == mover { threats.own } else { threats.other };
        let follower = self.follow_up(state, &threats);
        let free = self.cells - state.ply;
        let last = if free.is_multiple_of(2) { !mover } else { mover };
        let mut facts = vec![Fact {
            name: "last-stone",
            number: None,
            text: format!("{} plays it if the board is filled", self.side_name(last)),
        }];
        for (side, name) in [(Side::First, "threats-of-first"), (Side::Second, "threats-of-second")] {
            let listed: Vec<String> = wins(side).ones().map(|bit| self.cell_in_words(bit)).collect();
            let text = if listed.is_empty() { "none".to_owned() } else { listed.join(", ") };
            facts.push(Fact {
                name,
                number: Some(listed.len() as i32),
                text: format!("{}: {text}", self.side_name(side)),
            });
        }
        if let Some((side, found)) = follower {
            let text = self.follow_up_in_words(side, &found);
            facts.push(Fact { name: "follow-up", number: Some(found.least * i32::from(side.sign())), text });
        }
        let mut below = follower.map_or(B::EMPTY, |(_, found)| self.below(found.wins));
        if let Some(decided) = self.threats_decide(state, &threats) {
            facts.push(Fact { name: "threats-decide", number: Some(decided.margin.0.into()), text: decided.text });
            below = below.or(decided.below);
        }
        let gets = follower.map(|(side, found)| (side, found.cells));
        let parts = self.parts(state, wins(Side::First), wins(Side::Second), gets, below);
        Structure { facts, parts }
    }

    /// `d4 (even row)`.
    fn cell_in_words(&self, bit: u32) -> String {
        let place = self.place(bit);
        format!("{} ({} row)", place.name(), if place.row.is_multiple_of(2) { "odd" } else { "even" })
    }

    fn follow_up_in_words(&self, side: Side, found: &FollowUp<B>) -> String {
        let [name, other] = [side, !side].map(|side| self.side_name(side));
        if found.cells.is_empty() && found.wins.is_empty() {
            return format!("{name} does not lose: {other} has no line left that it could fill");
        }
        let rule = "by answering each stone with one on top of it";
        let name_of = |bit: u32| self.place(bit).name();
        let under = |bit: u32| format!("{} under {}", name_of(self.below(B::single(bit)).lowest()), name_of(bit));
        let cells: Vec<String> = found.wins.ones().map(under).collect();
        match cells.as_slice() {
            [] if found.least > 0 => format!("{name} wins {rule}: the cells that it gets complete four"),
            [] => format!("{name} does not lose {rule}: {other} cannot complete four in the rest"),
            cells => format!("{name} wins {rule}, until {other} must play {}", cells.join(" or ")),
        }
    }

    /// The result of a position in which the side to move wins at once, or the other side after every move.
    fn threats_decide(&self, state: &State<B>, threats: &Threats<B>) -> Option<Decided<B>> {
        let mover = self.to_move(state);
        let [name, other] = [mover, !mover].map(|side| self.side_name(side));
        let landing = threats.landing[0];
        let listed = |cells: B, word: &str| {
            let cells: Vec<String> = cells.ones().map(|bit| self.cell_in_words(bit)).collect();
            cells.join(&format!(" {word} "))
        };
        let wins = threats.own.and(landing);
        if !wins.is_empty() {
            let text = format!("{name} completes four at once on {}", listed(wins, "or"));
            let margin = Margin::won_by(mover, self.points_at(state.ply + 1));
            return Some(Decided { margin, text, below: B::EMPTY });
        }
        if self.holding(landing, threats.other, self.below(threats.other)).is_some() {
            return None;
        }
        let blocks = threats.other.and(landing);
        let above = |cells: B| {
            let columns = cells.ones().fold(B::EMPTY, |all, bit| all.or(self.columns[usize::from(self.column(bit))]));
            threats.landing[1].and(threats.other).and(columns)
        };
        let (text, below) = match blocks.count() {
            0 => {
                let cells = listed(above(landing), "or");
                (format!("{name} must play under {cells}, where {other} completes four"), landing)
            }
            1 => {
                let [block, on_top] = [blocks, above(blocks)].map(|cells| listed(cells, "and"));
                (format!("{name} must answer {block}, and {other} completes four on top of it, on {on_top}"), blocks)
            }
            n => {
                let (cells, rest) = (listed(blocks, "and"), if n == 2 { "the other" } else { "another" });
                (format!("{name} can answer only one of {cells}, and {other} completes four on {rest}"), B::EMPTY)
            }
        };
        Some(Decided { margin: Margin::won_by(!mover, self.points_at(state.ply + 2)), text, below })
    }

    /// The winning cells by side, the cells that a side gets by a strategy, and those `below` threats that decide.
    fn parts(&self, state: &State<B>, first: B, second: B, gets: Option<(Side, B)>, below: B) -> Vec<Part> {
        let landing = self.landing(state.filled);
        let index = |bit: u32| self.picture_cell(self.place(bit));
        let part = |kind, label: &str, fill, note, set: B| {
            let moves = set.and(landing).ones().map(|bit| self.print_move(state, self.column(bit))).collect();
            let cells: Vec<usize> = set.ones().map(index).collect();
            Part { kind, label: label.to_owned(), note, fill, cells, edges: Vec::new(), moves }
        };
        let (follower, gets) = gets.unwrap_or((Side::First, B::EMPTY));
        let follows = if follower == Side::First { "(x)" } else { "(o)" };
        let parts = [
            part("threat-of-first", "x!", Fill::Hatched, "", first.and_not(second)),
            part("threat-of-second", "o!", Fill::Dotted, "", second.and_not(first)),
            part("threat-of-both", "!", Fill::Crossed, "", first.and(second)),
            part("follow-up", follows, Fill::Striped, "", gets.and_not(first).and_not(second)),
            part("below-threat", "", Fill::Framed, "", below),
        ];
        parts.into_iter().filter(|part| !part.cells.is_empty()).collect()
    }
}

/// A result that follows from the threats of a position.
struct Decided<B> {
    /// The exact margin.
    margin: Margin,
    text: String,
    /// The cells on which the loser must play, below winning cells.
    below: B,
}
