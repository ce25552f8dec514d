//! The player and the budget of a book.

use banyan_catalog::book::BookPlan;
use banyan_catalog::{AnyGame, Budget, PlayerSpec};
use banyan_core::TextError;

/// The plan of a book of `game`, in which `best` is the player that it is today.
///
/// # Errors
/// A player or budget that does not exist or does not fit.
pub fn new_plan(game: &AnyGame, player: &str, budget: Budget, seed: u64) -> Result<BookPlan, TextError> {
    let given = player.parse::<PlayerSpec>()?;
    let in_game = game.in_game(&given)?;
    // The book of the program is left out, since no search follows from it.
    let player = if given.has_book() { in_game } else { in_game.without_book() }.to_string();
    let plan = BookPlan { game: game.spec(), player, budget: budget.to_string(), seed };
    parts(&plan, game).map(|_| plan)
}

/// The player of a plan and its budget.
pub(super) fn parts(plan: &BookPlan, game: &AnyGame) -> Result<(PlayerSpec, Budget), TextError> {
    let player: PlayerSpec = plan.player.parse()?;
    if player.has_book() {
        let expected = "expected a player without a book, which makes one by its searches";
        return Err(TextError::new(format!("--player {player}"), expected, "leave book out"));
    }
    game.check_player(&player)?;
    let budget: Budget = plan.budget.parse()?;
    budget.check_repeatable("the book")?;
    player.check(&budget)?;
    player.refuse_unused(&budget)?;
    Ok((player, budget))
}
