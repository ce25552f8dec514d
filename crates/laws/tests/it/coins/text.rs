//! The text of the coins game, with a variant for each violation of a law.

use std::sync::atomic::AtomicI16;

use banyan_core::{Cell, Game, Notation, Picture, Side, TextError, parse_moves_by_word};

use super::{Broken, Coins, State, Take};

impl<const PAD: usize> Notation for Coins<PAD> {
    const NAME: &'static str = "coins";
    const SUMMARY: &'static str = "two piles of coins; options AxB, the piles";

    fn from_options(options: &str) -> Result<Self, TextError> {
        let piles = options.split_once('x').and_then(|(a, b)| Some([a.parse().ok()?, b.parse().ok()?]));
        let piles = piles.ok_or_else(|| TextError::new(options, "two piles", "try 13x10"))?;
        Ok(Coins { piles, broken: Broken::Nothing, n_calls: AtomicI16::new(0) })
    }

    fn options(&self) -> String {
        let [a, b] = self.piles;
        if self.is(Broken::OptionsLost) { "9x9".to_owned() } else { format!("{a}x{b}") }
    }

    fn print_move(&self, _: &State<PAD>, Take(pile, coins): Take) -> String {
        match (self.broken, pile) {
            (Broken::MovesPrintAlike, _) => format!("a{coins}"),
            (Broken::SpacedMove, 0) => format!("a {coins}"),
            (_, 0) => format!("a{coins}"),
            _ => format!("b{coins}"),
        }
    }

    fn parse_move(&self, state: &State<PAD>, text: &str) -> Result<Take, TextError> {
        let mut moves = Vec::new();
        self.moves(state, &mut moves);
        match self.broken {
            Broken::MoveMisread => return Ok(moves[0]),
            Broken::IllegalAccepted if text == "a3" => return Ok(Take(0, 3)),
            _ => {}
        }
        let found = moves.into_iter().find(|&mv| self.print_move(state, mv) == text);
        found.ok_or_else(|| TextError::new(text, "a pile and a number of coins", "try a1"))
    }

    fn parse_moves(&self, state: &State<PAD>, text: &str) -> Result<Vec<Take>, TextError> {
        let mut moves = parse_moves_by_word(self, state, text)?;
        if self.is(Broken::LastMoveLost) {
            moves.pop();
        }
        Ok(moves)
    }

    fn print_position(&self, state: &State<PAD>) -> String {
        let ([a, b], mover, score) = (state.piles, state.mover.index(), state.score);
        let score = if self.is(Broken::PositionWithoutScore) { 0 } else { score };
        format!("{a} {b} {mover} {score} {} {:x}", state.ply, state.history)
    }

    fn parse_position(&self, text: &str) -> Result<State<PAD>, TextError> {
        let refused = || TextError::new(text, "piles, mover, score, ply and history", "try 13 10 0 0 0 0");
        let words: Vec<&str> = text.split(' ').collect();
        let [a, b, mover @ ("0" | "1"), score, ply, history] = words[..] else { return Err(refused()) };
        let small = |word: &str| word.parse::<u8>().ok().filter(|&n| n < 100);
        let (Some(a), Some(b), Some(ply)) = (small(a), small(b), small(ply)) else { return Err(refused()) };
        let score: i16 = score.parse().map_err(|_| refused())?;
        let history = u64::from_str_radix(history, 16).map_err(|_| refused())?;
        if a + b == 0 && self.is(Broken::FinishedPositionRefused) {
            return Err(refused());
        }
        let sum = if self.is(Broken::UnevenPosition) && a > 20 { a } else { a + b };
        let mover = Side::BOTH[usize::from(mover == "1")];
        Ok(State { piles: [a, b], sum, mover, score, ply: ply.into(), history, pad: [0; PAD] })
    }

    fn picture(&self, _: &State<PAD>, _: Option<Take>) -> Option<Picture> {
        let cells = vec![Cell::default(); if self.is(Broken::PictureTooSmall) { 1 } else { 2 }];
        let labels = vec!["a".to_owned(), "b".to_owned()];
        Some(Picture {
            rows: 1,
            columns: 2,
            cells,
            edges: None,
            column_labels: labels,
            row_labels: vec![String::new()],
        })
    }
}
