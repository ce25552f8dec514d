//! The causes of lost games: the results of a review, as found, kept and shown.

use banyan_catalog::pairs::{EndingKind, GameLine, SideName};
use banyan_catalog::{Catalog, Players};
use banyan_core::Flow;
use banyan_matches::exports::{Details, Outcome, export_for};
use banyan_matches::frame::Kind;
use banyan_matches::sweep::StageGames;
use banyan_matches::{LossCause, LossReview, LossReviewer};
use banyan_review::ReviewUnit;

use crate::catalog;
use crate::fixture::{config, fault, game};

/// O lets X have three stones in a row that are open at both ends by move 4.
const BLUNDER: &str = "3 3 2 3 4 1 5";

fn lost_by_second(pair: u64, opening_plies: u16) -> GameLine {
    let (spec, moves) = ("connect-four:4x5".to_owned(), BLUNDER.to_owned());
    GameLine { spec, moves, opening_plies, ..game(pair, 0, [0, 1], '+') }
}

fn reviewer<'a>(catalog: &'a Catalog, budget: &str, games: &'a [GameLine]) -> LossReviewer<'a> {
    let player = Players::presets().player("best").expect("a player");
    LossReviewer::new(catalog, (player, budget.parse().expect("a budget")), games)
}

/// The review, and the lines to keep as they were passed on.
fn reviewed(reviewer: &mut LossReviewer<'_>, stopped: bool) -> (LossReview, Vec<String>) {
    let mut lines = Vec::new();
    let (_, before) = reviewer.progress();
    let run = reviewer.run(2, &|| stopped, &mut |line, done| {
        lines.push(line.to_owned());
        assert_eq!(done, before + lines.len());
        Flow::Continue
    });
    run.expect("a review");
    (reviewer.result(), lines)
}

#[test]
fn a_lost_game_names_the_move_at_which_the_value_drops_most() {
    let catalog = catalog();
    let late = fault(lost_by_second(2, 0), SideName::First, EndingKind::Late);
    // The blunder of the second game belongs to its opening, which no player chose.
    let games = [lost_by_second(1, 4), lost_by_second(0, 0), late, game(3, 0, [0, 1], '=')];
    let (review, _) = reviewed(&mut reviewer(&catalog, "nodes=1e5", &games), false);
    let causes: Vec<_> = review.games.iter().map(|lost| (lost.id(), lost.player, lost.cause)).collect();
    assert_eq!(
        causes,
        [((0, 0), 1, LossCause::Blunder), ((1, 0), 1, LossCause::Gradual), ((2, 0), 0, LossCause::Late)]
    );
    let drop = review.games[0].drop.as_ref().expect("a drop");
    assert_eq!((drop.ply, &*drop.mv, drop.loss, drop.unit, drop.exact), (4, "3", 100.0, ReviewUnit::Percent, true));
    assert!(drop.best.as_ref().is_some_and(|best| best != "3"), "{drop:?}");
    assert_eq!((review.games[1].drop.as_ref(), review.games[2].drop.as_ref()), (None, None));
    assert_eq!((review.to_review, review.reviewed), (2, 2));
}

#[test]
fn reviews_that_were_kept_are_not_made_again() {
    let catalog = catalog();
    let games = [lost_by_second(0, 0), lost_by_second(1, 0)];
    let (review, lines) = reviewed(&mut reviewer(&catalog, "nodes=1e5", &games), false);
    let text = lines.join("\n") + "\n{\"v\":1,\"pa";
    let mut again = reviewer(&catalog, "nodes=1e5", &games);
    text.lines().for_each(|line| again.recall(line));
    assert_eq!((again.progress(), again.lines().len()), ((2, 2), 2));
    let (recalled, made) = reviewed(&mut again, false);
    assert_eq!((recalled, made.len()), (review, 0));
    // Another budget, or another game instead of the recorded one.
    let mut other = reviewer(&catalog, "nodes=2e5", &games);
    text.lines().for_each(|line| other.recall(line));
    assert_eq!(other.progress(), (2, 0));
    let replaced = [lost_by_second(0, 0), GameLine { opening_plies: 1, ..lost_by_second(1, 0) }];
    let mut replaced = reviewer(&catalog, "nodes=1e5", &replaced);
    text.lines().for_each(|line| replaced.recall(line));
    assert_eq!(replaced.progress(), (2, 1));
    // Interrupted before the other game.
    let (partial, made) = reviewed(&mut replaced, true);
    let causes: Vec<_> = partial.games.iter().map(|lost| lost.cause).collect();
    assert_eq!((causes, made.len()), (vec![LossCause::Blunder, LossCause::Unreviewed], 0));
    assert_eq!((partial.to_review, partial.reviewed), (2, 1));
}

#[test]
fn the_page_links_the_board_of_the_blunder() {
    let catalog = catalog();
    let games = [lost_by_second(0, 0), lost_by_second(1, 0)];
    let config = config(&["anna", "bert"]);
    let page_of = |loss_review: Option<LossReview>| {
        let stages = [StageGames { config: &config, lines: &games }];
        let details = Details { loss_review, ..Details::default() };
        let outcome = Outcome::of(&catalog, Kind::Match, &stages, details).expect("a result");
        export_for("page.html").expect("a form")(&outcome)
    };
    let plain = page_of(None);
    assert!(plain.contains("<p>on the board: 2</p>") && !plain.contains("data-ply"), "{plain}");
    let mut reviewer = reviewer(&catalog, "nodes=1e5", &games[..]);
    let open = page_of(Some(reviewed(&mut reviewer, true).0));
    assert!(open.contains("best, nodes=100000 for each position: interrupted after 0 of 2 games."), "{open}");
    assert!(open.contains("<p>on the board, not reviewed: 2</p>"), "{open}");
    let page = page_of(Some(reviewed(&mut reviewer, false).0));
    assert!(page.contains("<summary>bert: 2 lost</summary>\n<p>blunder (??): 2</p>"), "{page}");
    assert!(page.contains("data-game=\"1\" data-ply=\"4\">1.0</button>"), "{page}");
    assert!(page.contains("<td>3 ??</td>") && page.contains("<td class=\"n\">=100 %</td>"), "{page}");
    assert!(page.contains("\"drop\":[4,\"?? loses 100 % (proven); better "), "{page}");
    assert!(page.contains("for each position: 2 games."), "{page}");
}
