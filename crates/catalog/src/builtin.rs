//! The games that come with Banyan. Each picks the narrowest board word that holds the size asked for.

use banyan_core::TextError;
use banyan_games::connect_four::{self, ConnectFour};
use banyan_games::dots_and_boxes::{self, DotsAndBoxes};
use banyan_games::reversi::{self, Reversi};

use crate::registry::{AnyGame, Catalog, Family, any_game};

impl Catalog {
    /// The three games of Banyan.
    pub fn builtin() -> Catalog {
        let mut catalog = Catalog::empty();
        catalog.add(Family::of::<ConnectFour<u64>>(connect_four));
        catalog.add(Family::of::<Reversi<u64>>(reversi));
        catalog.add(Family::of::<DotsAndBoxes<u64>>(dots_and_boxes));
        catalog
    }
}

fn connect_four(options: &str) -> Result<Box<dyn AnyGame>, TextError> {
    Ok(words::connect_four(connect_four::Shape::parse(options)?))
}

fn reversi(options: &str) -> Result<Box<dyn AnyGame>, TextError> {
    Ok(words::reversi(reversi::Shape::parse(options)?))
}

fn dots_and_boxes(options: &str) -> Result<Box<dyn AnyGame>, TextError> {
    Ok(words::dots_and_boxes(dots_and_boxes::Shape::parse(options)?))
}

/// The game on the narrowest word that holds the board.
#[cfg(not(test))]
mod words {
    use banyan_core::bits::Bits;

    use super::*;

    pub(super) fn connect_four(shape: connect_four::Shape) -> Box<dyn AnyGame> {
        match shape.word() {
            connect_four::Word::One => any_game(ConnectFour::<u64>::new(shape)),
            connect_four::Word::Two => any_game(ConnectFour::<u128>::new(shape)),
            connect_four::Word::Three => any_game(ConnectFour::<[u64; 3]>::new(shape)),
            connect_four::Word::Four => any_game(ConnectFour::<[u64; 4]>::new(shape)),
        }
    }

    pub(super) fn reversi(shape: reversi::Shape) -> Box<dyn AnyGame> {
        if shape.word_bits() <= u64::WIDTH {
            any_game(Reversi::<u64>::new(shape))
        } else {
            any_game(Reversi::<u128>::new(shape))
        }
    }

    pub(super) fn dots_and_boxes(shape: dots_and_boxes::Shape) -> Box<dyn AnyGame> {
        match shape.word() {
            dots_and_boxes::Word::One => any_game(DotsAndBoxes::<u64>::new(shape)),
            dots_and_boxes::Word::Two => any_game(DotsAndBoxes::<u128>::new(shape)),
            dots_and_boxes::Word::Three => any_game(DotsAndBoxes::<[u64; 3]>::new(shape)),
        }
    }
}

/// The game on the widest word: which it is makes no difference to any result, and every search compiled for every word takes
/// minutes that the unit tests of this crate need not wait for. All other tests have all words.
#[cfg(test)]
mod words {
    use super::*;

    pub(super) fn connect_four(shape: connect_four::Shape) -> Box<dyn AnyGame> {
        any_game(ConnectFour::<[u64; 4]>::new(shape))
    }

    pub(super) fn reversi(shape: reversi::Shape) -> Box<dyn AnyGame> {
        any_game(Reversi::<u128>::new(shape))
    }

    pub(super) fn dots_and_boxes(shape: dots_and_boxes::Shape) -> Box<dyn AnyGame> {
        any_game(DotsAndBoxes::<[u64; 3]>::new(shape))
    }
}
