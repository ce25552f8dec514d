//! Dots and Boxes against a plain array, published counts and values, and the laws.

/// Runs generic code with the word that the board `$size` needs.
macro_rules! with_word {
    ($size:expr, $check:ident($($arg:expr),*)) => {
        match banyan_dots_and_boxes::Shape::parse($size).expect("a board").word() {
            banyan_dots_and_boxes::Word::One => $check::<u64>($size $(, $arg)*),
            banyan_dots_and_boxes::Word::Two => $check::<u128>($size $(, $arg)*),
            banyan_dots_and_boxes::Word::Three => $check::<[u64; 3]>($size $(, $arg)*),
        }
    };
}

mod collected;
mod endings;
mod exact;
mod knowledge;
mod plain;
mod reasons;
mod rules;
mod structure;
mod tactical_playouts;
mod text;

use banyan_bits::Bits;
use banyan_core::{Game, Notation};
use banyan_dots_and_boxes::{DotsAndBoxes, State};

fn game<B: Bits>(size: &str) -> DotsAndBoxes<B> {
    DotsAndBoxes::from_options(size).expect("a board that fits the word")
}

fn listed<B: Bits>(game: &DotsAndBoxes<B>, state: &State<B>) -> Vec<u8> {
    let mut moves = Vec::new();
    game.moves(state, &mut moves);
    moves
}
