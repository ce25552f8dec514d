//! Games and players without their types. What runs once a move or once a game works on an [`ErasedGame`], which is a [`Game`](crate::Game)
//! like any other, so that it is compiled once for all games; searches are compiled for the game itself and called through adapters.

mod game;
mod player;
mod prover;
mod state;

pub use game::ErasedGame;
pub use player::{erase_player, restore_player};
pub use prover::erase_prover;
pub use state::ErasedState;
