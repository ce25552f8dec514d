//! The games that come with Banyan. Each picks the narrowest board word that holds the size asked for.

use banyan_core::bits::Bits;
use banyan_core::{Notation, TextError};
use banyan_games::connect_four::{self, ConnectFour, Word};
use banyan_games::dots_and_boxes::{self, DotsAndBoxes};
use banyan_games::reversi::{self, Reversi};

use crate::registry::{AnyGame, Catalog, Family, any_game};

impl Catalog {
    /// The three games of Banyan.
    pub fn builtin() -> Catalog {
        let mut catalog = Catalog::empty();
        catalog.add(family::<ConnectFour<u64>>(connect_four));
        catalog.add(family::<Reversi<u64>>(reversi));
        catalog.add(family::<DotsAndBoxes<u64>>(dots_and_boxes));
        catalog
    }
}

fn family<G: Notation>(make: fn(&str) -> Result<Box<dyn AnyGame>, TextError>) -> Family {
    Family { name: G::NAME, summary: G::SUMMARY, make }
}

fn connect_four(options: &str) -> Result<Box<dyn AnyGame>, TextError> {
    let shape = connect_four::Shape::parse(options)?;
    Ok(match shape.word() {
        Word::One => any_game(ConnectFour::<u64>::new(shape)),
        Word::Two => any_game(ConnectFour::<u128>::new(shape)),
        Word::Three => any_game(ConnectFour::<[u64; 3]>::new(shape)),
        Word::Four => any_game(ConnectFour::<[u64; 4]>::new(shape)),
    })
}

fn reversi(options: &str) -> Result<Box<dyn AnyGame>, TextError> {
    let shape = reversi::Shape::parse(options)?;
    Ok(if shape.word_bits() <= u64::WIDTH {
        any_game(Reversi::<u64>::new(shape))
    } else {
        any_game(Reversi::<u128>::new(shape))
    })
}

fn dots_and_boxes(options: &str) -> Result<Box<dyn AnyGame>, TextError> {
    let shape = dots_and_boxes::Shape::parse(options)?;
    Ok(match shape.word() {
        dots_and_boxes::Word::One => any_game(DotsAndBoxes::<u64>::new(shape)),
        dots_and_boxes::Word::Two => any_game(DotsAndBoxes::<u128>::new(shape)),
        dots_and_boxes::Word::Three => any_game(DotsAndBoxes::<[u64; 3]>::new(shape)),
    })
}
