//! Proofs of the Monte Carlo search against exhaustive search, on small boards of the three games.

use banyan::catalog::view::{Analysis, Proof};
use banyan::connect_four::ConnectFour;
use banyan::dots_and_boxes::DotsAndBoxes;
use banyan::reversi::Reversi;
use banyan::{Limits, Margin, Notation, Rng, Silent};
use banyan_testkit::{Exact, PROOF_NEUTRAL, is_deep, rounds};

use crate::{Board, best, player, random_position};

/// The settings that affect proofs, besides the evaluator.
const CHOICES: [(&str, &[&str]); 6] = [
    ("structure", &["tree", "graph"]),
    ("proof", &["win", "bounds"]),
    ("reward", &["win", "wdl", "margin"]),
    ("forced", &["never", "expansion", "always"]),
    ("expand", &["one", "all"]),
    ("batch", &["1", "8"]),
];

/// Settings of the search, each once.
#[derive(Clone, Default)]
struct Settings(Vec<(&'static str, &'static str)>);

impl Settings {
    fn with(&self, name: &'static str, value: &'static str) -> Settings {
        Settings([&*self.0, &[(name, value)]].concat())
    }

    fn get(&self, name: &str) -> Option<&'static str> {
        self.0.iter().find(|(known, _)| *known == name).map(|&(_, value)| value)
    }

    /// Adds random settings that must not change proofs.
    fn with_others(&self, rng: &mut Rng) -> Settings {
        let mut settings = self.clone();
        for (name, values) in PROOF_NEUTRAL {
            let value = values[rng.below(values.len() as u32) as usize];
            // Threat playouts are not cut.
            let value = if name == "playout-plies" && self.get("eval") == Some("threat") { "0" } else { value };
            // Children that are all evaluated at once are all open.
            let value = if name == "widening" && self.get("expand").is_some_and(|expand| expand != "one") {
                "0"
            } else {
                value
            };
            settings = settings.with(name, value);
        }
        if self.counts_points() { settings.with("c", "2") } else { settings }
    }

    fn counts_points(&self) -> bool {
        self.get("reward") == Some("margin")
    }

    fn proves_margins(&self) -> bool {
        self.get("proof").is_none_or(|proof| proof == "bounds")
    }

    /// Whether proofs can determine the reward: a proven winner does not determine points.
    fn can_decide(&self) -> bool {
        !self.counts_points() || self.proves_margins()
    }

    /// Whether the reward is determined.
    fn is_decided(&self, proof: Proof) -> bool {
        if self.counts_points() { proof.lower == proof.upper } else { proof.lower.signum() == proof.upper.signum() }
    }

    /// The value of a decided position for the mover, -1 .. 1, if it can have this margin. The margin ranges of the
    /// games here are symmetric around 0.
    fn value_of(&self, margin: i16, most: Margin) -> f64 {
        if self.counts_points() { f64::from(margin) / f64::from(most.0) } else { f64::from(margin.signum()) }
    }

    fn player(&self) -> String {
        let settings: Vec<String> = self.0.iter().map(|(name, value)| format!("{name}={value}")).collect();
        format!("graph:{}", settings.join(","))
    }
}

/// Every combination of the settings that affect proofs with these evaluators.
fn every_combination(evaluators: &[&'static str]) -> Vec<Settings> {
    let mut all = vec![Settings::default()];
    for (name, values) in CHOICES.into_iter().chain([("eval", evaluators)]) {
        all = all.iter().flat_map(|settings| values.iter().map(|value| settings.with(name, value))).collect();
    }
    all
}

/// Searches a position with a new player and checks the result against exact values; returns the analysis and whether
/// the position is decided.
fn check<G: Notation>(
    (board, state): (&Board<G>, &G::State),
    (settings, seed): (&Settings, u64),
    playouts: u64,
    exact: &mut Exact<'_, G>,
) -> (Analysis, bool) {
    let mut session = board.open(state);
    let seat = session.seat(&player(&settings.player()), seed).unwrap_or_else(|err| panic!("{err}"));
    let analysis = session.choose(seat, &Limits::playouts(playouts), &mut Silent).expect("no fault");
    let shown = || format!("{analysis:#?}\nby {} with seed {seed} and {playouts} playouts", settings.player());
    let game = &board.game;
    let mover = game.to_move(state);
    let mut after = |mv: &str| exact.after(state, game.parse_move(state, mv).expect("a legal move")).seen_by(mover);
    let reached = after(best(&analysis));
    for mv in &analysis.moves {
        let after = after(&mv.mv);
        let holds = mv.proof.is_none_or(|proof| (proof.lower..=proof.upper).contains(&after));
        assert!(holds, "{after} is best after {} in {}", mv.mv, shown());
    }
    let value = exact.value(state);
    let range = game.margin_range();
    let (lower, upper) = range.seen_by(mover);
    let proof = analysis.proof.unwrap_or(Proof { lower, upper });
    assert!((proof.lower..=proof.upper).contains(&value), "{value} is best in {}", shown());
    let is_decided = settings.is_decided(proof);
    if is_decided {
        let reaches_it = if settings.counts_points() && settings.proves_margins() {
            reached == value
        } else {
            reached.signum() == value.signum()
        };
        assert!(reaches_it, "{} leads to {reached}, not {value}, in {}", best(&analysis), shown());
        let expected = settings.value_of(reached, range.upper);
        assert!((analysis.value - expected).abs() < 1e-6, "{expected} is the value in {}", shown());
    } else {
        assert_eq!(analysis.playouts, playouts, "stopped undecided: {}", shown());
    }
    (analysis, is_decided)
}

/// Checks every combination of settings, in a quick run a random third of them, on positions after `plies` and a few
/// more random moves, at three budgets; returns the share of decided positions at the largest budget, among settings
/// that can decide.
fn check_all<G: Notation>(options: &str, evaluators: &[&'static str], plies: u32, seed: u64) -> f64 {
    let board = Board::<G>::new(options);
    let mut rng = Rng::new(seed);
    let mut exact = Exact::new(&board.game);
    let (mut decided, mut decidable) = (0, 0);
    for (i, mut settings) in every_combination(evaluators).into_iter().enumerate() {
        if rng.below(rounds(3, 1)) > 0 {
            continue;
        }
        for (budget, playouts) in [50, 500, 5000].into_iter().enumerate() {
            let state = random_position(&board.game, plies + rng.below(6), &mut rng);
            if budget == 1 {
                settings = settings.with_others(&mut rng);
            }
            let number = (3 * i + budget) as u64;
            let (_, is_decided) = check((&board, &state), (&settings, number), playouts, &mut exact);
            if playouts == 5000 && settings.can_decide() {
                decidable += 1;
                decided += i32::from(is_decided);
            }
        }
    }
    f64::from(decided) / f64::from(decidable)
}

#[test]
fn proofs_hold_in_connect_four() {
    const EVALUATORS: [&str; 3] = ["uniform", "tactical", "threat"];
    let shares =
        [("4x4", 4), ("4x5", 8)].map(|(size, plies)| check_all::<ConnectFour<u64>>(size, &EVALUATORS, plies, 1));
    assert!(shares.iter().all(|&share| share > 0.5), "decided: {shares:?}");
}

const EVALUATORS: [&str; 2] = ["uniform", "tactical"];

#[test]
fn proofs_hold_in_dots_and_boxes() {
    let shares =
        [("2x2", 2), ("2x3", 6)].map(|(size, plies)| check_all::<DotsAndBoxes<u64>>(size, &EVALUATORS, plies, 2));
    assert!(shares.iter().all(|&share| share > 0.5), "decided: {shares:?}");
}

#[test]
fn proofs_hold_in_reversi() {
    let share = check_all::<Reversi<u64>>("4x4", &EVALUATORS, 2, 3);
    assert!(share > 0.8, "decided: {share}");
}

/// Searches the start of a board until it is decided.
fn prove<G: Notation>(options: &str, reward: &'static str) -> Analysis {
    let board = Board::<G>::new(options);
    let settings = Settings::default().with("reward", reward);
    let state = board.game.start();
    let (analysis, is_decided) = check((&board, &state), (&settings, 1), 5_000_000, &mut Exact::new(&board.game));
    assert!(is_decided, "undecided after {} playouts for {reward}", analysis.playouts);
    analysis
}

#[test]
fn dots_and_boxes_2x3_is_proven() {
    assert_eq!(prove::<DotsAndBoxes<u64>>("2x3", "margin").proof, Some(Proof { lower: -2, upper: -2 }));
    if is_deep() {
        assert_eq!(prove::<DotsAndBoxes<u64>>("2x3", "win").value, -1.0);
    }
}

const DRAW: Option<Proof> = Some(Proof { lower: 0, upper: 0 });

#[test]
fn small_boards_of_connect_four_are_proven_draws() {
    let boards = [("4x4", "win"), ("4x4", "margin"), ("4x5", "win")];
    for (board, reward) in rounds(&boards[..2], &boards) {
        assert_eq!(prove::<ConnectFour<u64>>(board, reward).proof, DRAW, "{board}, {reward}");
    }
}
