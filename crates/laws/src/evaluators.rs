//! Laws on evaluators, checked by [`check_evaluator`].
//!
//! | law | requirement |
//! |---|---|
//! | `answers-hold` | margins lie within the bounds returned, these within those of the rules, and best play contradicts none |
//! | `points-agree` | expected points stay in the range; their part beyond the score is a function of the canonical key |
//! | `playouts-replay` | recorded moves are legal and end the game with the margin answered, brought within the bounds returned |
//! | `priors-agree` | priors on request are probabilities, one for each move, and a function of the canonical key |

use std::collections::HashMap;

use banyan_core::{
    Answer, Bounds, Evaluator, FINE, Game, Leaves, Margin, MoveList, Notation, Priors, Rng, Symmetry, Value,
};

use crate::knowledge::evals_agree;
use crate::random_game::{RandomGame, listed, random_games};
use crate::value::{FULL_SEARCH_NODES, full_search, shown};
use crate::violation::{Finding, Violation};

/// Leaves of the same position in a batch.
const LEAVES: usize = 16;

/// Tolerance for rounding in sums.
const SLACK: f32 = 1e-4;

/// A law that checks an evaluator on random games.
type Test<G> = fn(&G, &mut dyn Evaluator<G>, &[RandomGame<G>]) -> Finding;

/// Every law of this module by name.
pub fn laws<G: Notation>() -> [(&'static str, Test<G>); 4] {
    [
        ("answers-hold", answers_hold),
        ("points-agree", points_agree),
        ("playouts-replay", playouts_replay),
        ("priors-agree", priors_agree),
    ]
}

/// Plays `games` random games (at least one) with the seeds from `seed` on, and checks `evaluator` by every law of this
/// module.
///
/// # Errors
/// The first violation found.
pub fn check_evaluator<G: Notation>(
    game: &G,
    evaluator: &mut dyn Evaluator<G>,
    games: u32,
    seed: u64,
) -> Result<(), Violation> {
    let games = random_games(game, games, seed);
    laws::<G>()
        .into_iter()
        .try_for_each(|(law, test)| test(game, evaluator, &games).map_err(|message| Violation { law, message }))
}

/// The answers for `n` leaves of one position.
fn answers<G: Game>(game: &G, evaluator: &mut dyn Evaluator<G>, state: &G::State, n: usize, seed: u64) -> Vec<Answer> {
    let (states, visits, mut answers) = (vec![state.clone(); n], vec![0; n], vec![Answer::default(); n]);
    evaluator.evaluate(game, &mut Leaves::new(&states, &visits, &mut answers), &mut Rng::new(seed));
    answers
}

fn answers_hold<G: Notation>(game: &G, evaluator: &mut dyn Evaluator<G>, games: &[RandomGame<G>]) -> Finding {
    for played in games {
        let mut searchable = true;
        for i in played.choices().rev() {
            let state = &played.states[i];
            let mut nodes = FULL_SEARCH_NODES;
            let value = if searchable { full_search(game, state, &mut nodes) } else { None };
            searchable = value.is_some();
            let seed = played.seed.wrapping_add(i as u64);
            let (together, alone) =
                (answers(game, evaluator, state, LEAVES, seed), answers(game, evaluator, state, 1, seed));
            for answer in together.into_iter().chain(alone) {
                check_answer(game, answer, game.bounds(state), value)
                    .map_err(|wrong| played.describe(game, i, wrong))?;
            }
        }
    }
    Ok(())
}

fn check_answer<G: Game>(game: &G, answer: Answer, by_rules: Bounds, value: Option<Margin>) -> Finding {
    let bounds = answer.bounds.unwrap_or(by_rules);
    let text = shown(bounds);
    if bounds.lower < by_rules.lower || bounds.upper > by_rules.upper {
        return Err(format!("an answer proves {text}, outside the bounds {}", shown(by_rules)));
    }
    match (answer.value, value) {
        (Value::Margin(margin), _) if !game.margin_range().contains(margin) => {
            Err(format!("an answer is {margin}, outside {}", shown(game.margin_range())))
        }
        // A line may leave the bounds that the rules prove for best play, but not those that it proves itself.
        (Value::Margin(margin), _) if answer.bounds.is_some() && !bounds.contains(margin) => {
            Err(format!("an answer is {margin} and proves {text}"))
        }
        (Value::Reward(reward), _) if !reward.is_finite() => Err(format!("an answer is {reward}")),
        (_, Some(value)) if !bounds.contains(value) => {
            Err(format!("an answer proves {text}, but best play ends with {value}"))
        }
        _ => Ok(()),
    }
}

fn points_agree<G: Notation>(game: &G, evaluator: &mut dyn Evaluator<G>, games: &[RandomGame<G>]) -> Finding {
    evals_agree(game, games, &mut |state| match answers(game, evaluator, state, 1, 0)[0].value {
        Value::Points(points) => points,
        // Not checked here: count as 0 beyond the score.
        _ => i32::from(game.score(state).0) * FINE,
    })
}

fn playouts_replay<G: Notation>(game: &G, evaluator: &mut dyn Evaluator<G>, games: &[RandomGame<G>]) -> Finding {
    if !evaluator.records_moves() {
        return Ok(());
    }
    let mut recorded = false;
    for played in games {
        for i in played.choices() {
            let state = &played.states[i];
            for n in [LEAVES, 1] {
                let (states, visits, mut answers) = (vec![state.clone(); n], vec![0; n], vec![Answer::default(); n]);
                let mut lines = vec![MoveList::new(); n];
                let mut leaves = Leaves::new(&states, &visits, &mut answers).with_played(&mut lines);
                evaluator.evaluate(game, &mut leaves, &mut Rng::new(played.seed.wrapping_add(i as u64)));
                for (&answer, line) in answers.iter().zip(&lines).filter(|(_, line)| !line.is_empty()) {
                    recorded = true;
                    check_line(game, state.clone(), line, answer).map_err(|wrong| played.describe(game, i, wrong))?;
                }
            }
        }
    }
    if recorded { Ok(()) } else { Err("no playout has been recorded".to_owned()) }
}

/// Checks that the moves of a playout from `state` are legal and end the game with the answer's margin.
fn check_line<G: Game>(game: &G, mut state: G::State, line: &[G::Move], answer: Answer) -> Finding {
    for (i, &mv) in line.iter().enumerate() {
        if game.result(&state).is_some() || !listed(game, &state).contains(&mv) {
            return Err(format!("move {} of the recorded playout {line:?} is not legal", i + 1));
        }
        game.play(&mut state, mv);
    }
    let Some(end) = game.result(&state) else {
        return Err(format!("the recorded playout {line:?} ends before the game"));
    };
    let within = answer.bounds.map_or(end, |bounds| end.max(bounds.lower).min(bounds.upper));
    if answer.value == Value::Margin(within) {
        return Ok(());
    }
    Err(format!("the recorded playout {line:?} ends with {end}, but the answer is {:?}", answer.value))
}

fn priors_agree<G: Notation>(game: &G, evaluator: &mut dyn Evaluator<G>, games: &[RandomGame<G>]) -> Finding {
    if evaluator.gives_priors() != Priors::OnRequest {
        return Ok(());
    }
    let mut seen: HashMap<u64, Vec<f32>> = HashMap::new();
    for played in games {
        for i in played.choices() {
            let state = &played.states[i];
            let priors = check_priors(game, evaluator, state).map_err(|wrong| played.describe(game, i, wrong))?;
            let before = seen.entry(game.key(state)).or_insert_with(|| priors.clone());
            if !alike(before, &priors) {
                let wrong = format!("priors {priors:?}, but {before:?} at a position with the same key");
                return Err(played.describe(game, i, wrong));
            }
        }
    }
    Ok(())
}

/// Checks that there is one for each move, that they are probabilities, and that they are the same in every image.
fn check_priors<G: Game>(game: &G, evaluator: &mut dyn Evaluator<G>, state: &G::State) -> Result<Vec<f32>, String> {
    let moves = listed(game, state);
    let priors = priors_of(game, evaluator, state, &moves);
    let sum: f32 = priors.iter().sum();
    // No priors at all are uniform ones.
    if priors.is_empty() {
        return Ok(priors);
    }
    if priors.len() != moves.len() || priors.iter().any(|&p| p.is_nan() || p < 0.0) || (sum - 1.0).abs() > SLACK {
        return Err(format!("priors {priors:?} of {} moves are no probabilities, their sum is {sum}", moves.len()));
    }
    for symmetry in (0..game.symmetries()).map(Symmetry) {
        let mapped: Vec<G::Move> = moves.iter().map(|&mv| game.transform_move(mv, symmetry)).collect();
        let in_image = priors_of(game, evaluator, &game.transform(state, symmetry), &mapped);
        if !alike(&priors, &in_image) {
            let number = symmetry.0;
            return Err(format!("priors {priors:?} of {moves:?}, but {in_image:?} in the image by symmetry {number}"));
        }
    }
    Ok(priors)
}

fn priors_of<G: Game>(game: &G, evaluator: &mut dyn Evaluator<G>, state: &G::State, moves: &[G::Move]) -> Vec<f32> {
    let mut priors = Vec::new();
    evaluator.priors(game, state, moves, &mut priors);
    priors
}

fn alike(a: &[f32], b: &[f32]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| (a - b).abs() <= SLACK)
}
