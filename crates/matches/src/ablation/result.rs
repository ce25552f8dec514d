//! The result of an ablation, computed from its games alone.

use std::cmp::Ordering;

use banyan_arena::stats::{MatchCounts, detectable_at, elo_of_score, holm};
use banyan_catalog::pairs::GameLine;
use banyan_catalog::strength::{Span, round, span};
use banyan_catalog::view::VERSION;
use banyan_core::{Side, TextError};
use banyan_texts::Language;
use serde::{Deserialize, Serialize};

use crate::ablation_config::{AblationConfig, AblationRow, KeptSetting};
use crate::config::MatchConfig;
use crate::counted::counted;
use crate::pairing_summary::{Met, wdl};
use crate::spending::Spent;

/// The probability of calling any row better or worse that is not, over all comparisons of a run.
pub(crate) const LEVEL: f64 = 0.05;

/// Fewest pairs of a row that is called better or worse: five equal ones have a probability of 1 in 16 between equal players, and Student's
/// distribution is far off with fewer.
pub(crate) const MIN_PAIRS: u64 = 5;

/// The result of an ablation; the content of ablation.json.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AblationResult {
    /// [`VERSION`].
    pub v: u32,
    /// The game.
    pub game: String,
    /// The player without changes.
    pub player: String,
    /// The budgets.
    pub budgets: Vec<String>,
    /// Pairs that count.
    pub pairs: u64,
    /// Pairs planned, of this part.
    pub of: u64,
    /// Pairs that repeat earlier ones, and do not count.
    pub repeated: u64,
    /// Rows at all budgets together: the number of comparisons that are judged together.
    pub comparisons: usize,
    /// The rows by budget, the strongest first.
    pub rows: Vec<RowResult>,
    /// Settings that could not be switched off alone.
    pub kept: Vec<KeptSetting>,
    /// The smallest differences that the planned pairs of a row show; `null` before two pairs of a row.
    pub detectable: Option<Detectable>,
    /// The verdicts in words.
    pub conclusion: String,
}

/// A variant at a budget against the player at the same budget, seen by the variant.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RowResult {
    /// The variant.
    #[serde(flatten)]
    pub variant: AblationRow,
    /// The budget.
    pub budget: String,
    /// Pairs that count.
    pub pairs: u64,
    /// Games won, drawn, lost.
    pub wdl: [u64; 3],
    /// Pairs by score: LL, LD, WL or DD, WD, WW.
    pub pentanomial: [u64; 5],
    /// Points per game, 0 .. 1.
    pub score: Span,
    /// Logistic Elo with its own 95 % interval.
    pub elo: Span,
    /// Logistic Elo with an interval that holds together with those of all other comparisons at 95 % (Bonferroni).
    pub elo_of_all: Span,
    /// The probability of a result at least as far from equality if both are equally strong.
    pub p: f64,
    /// That probability, adjusted by Holm's procedure for all comparisons.
    pub p_holm: f64,
    /// Whether it is better or worse, by the adjusted probability; undecided before five pairs.
    pub verdict: RowVerdict,
    /// Simulations per second: playouts, or nodes of a search without playouts.
    pub per_second: Option<f64>,
    /// Simulations per second of the player in the same games.
    pub per_second_of_player: Option<f64>,
    /// The first divided by the second.
    pub speed: Option<f64>,
}

/// Verdict on a variant, with a probability of 5 % that any such verdict of the run is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RowVerdict {
    /// It is stronger than the player.
    Better,
    /// It is weaker.
    Worse,
    /// Neither is shown.
    Undecided,
}

/// Smallest true differences in Elo that are found with a probability of 80 %.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Detectable {
    /// Pairs of each row.
    pub pairs: u64,
    /// At a level of 5 % for all comparisons together.
    pub of_all: Option<f64>,
    /// At a level of 5 % for one comparison alone.
    pub alone: Option<f64>,
}

impl AblationResult {
    /// The result of the games of an ablation.
    ///
    /// # Errors
    /// A match that is not an ablation.
    pub fn of(config: &MatchConfig, lines: &[GameLine]) -> Result<AblationResult, TextError> {
        let remedy = "use a folder written by `banyan ablate`, or `banyan match --resume`";
        let not = || TextError::new("a match", "expected an ablation", remedy);
        let plan = config.ablation.as_ref().ok_or_else(not)?;
        plan.check(config.players.len())?;
        let known = counted(config, lines);
        let met = Met::all(&known);
        let (size, n) = (plan.rows.len() + 1, plan.n_comparisons());
        let (mut found, mut repeated) = (Vec::new(), 0);
        for budget in 0..plan.budgets.len() {
            for row in 0..plan.rows.len() {
                let players = [budget * size, budget * size + 1 + row];
                let met = met.get(&players);
                let (summary, counts) = met.map(|met| met.summary(config)).unzip();
                repeated += summary.map_or(0, |summary| summary.repeated_pairs);
                found.push(row_result(plan, [budget, row], counts.unwrap_or_default(), met));
            }
        }
        let variances: Vec<f64> = found.iter().filter_map(|(_, counts)| counts.pair_variance()).collect();
        let mut rows: Vec<RowResult> = found.into_iter().map(|(row, _)| row).collect();
        let adjusted = holm(&rows.iter().map(|row| row.p).collect::<Vec<_>>());
        for (row, p) in rows.iter_mut().zip(adjusted) {
            row.p_holm = round(p, 6).unwrap_or(1.0);
            let is_decided = p <= LEVEL && row.pairs >= MIN_PAIRS;
            row.verdict = match row.score[1] {
                Some(score) if is_decided && score > 0.5 => RowVerdict::Better,
                Some(score) if is_decided && score < 0.5 => RowVerdict::Worse,
                _ => RowVerdict::Undecided,
            };
            // Judged unrounded.
            row.p = round(row.p, 6).unwrap_or(1.0);
        }
        let place = |row: &RowResult| plan.budgets.iter().position(|budget| *budget == row.budget);
        let score = |row: &RowResult| row.score[1].unwrap_or(-1.0);
        rows.sort_by(|a, b| place(a).cmp(&place(b)).then(score(b).partial_cmp(&score(a)).unwrap_or(Ordering::Equal)));
        let variance = variances.iter().sum::<f64>() / variances.len().max(1) as f64;
        let mut result = AblationResult {
            v: VERSION,
            game: config.game.clone(),
            player: plan.player.clone(),
            budgets: plan.budgets.clone(),
            pairs: rows.iter().map(|row| row.pairs).sum(),
            of: config.schedule()?.n_pairs_of_shard().unwrap_or(0),
            repeated,
            comparisons: n,
            rows,
            kept: plan.kept.clone(),
            detectable: (!variances.is_empty()).then(|| Detectable::of(variance, config.pairs, n)),
            conclusion: String::new(),
        };
        result.conclusion = result.in_words(Language::En);
        Ok(result)
    }

    /// The verdicts in a language.
    pub(crate) fn in_words(&self, language: Language) -> String {
        let of = |verdict: RowVerdict| {
            let rows = self.rows.iter().filter(move |row| row.verdict == verdict);
            let named = rows.map(|row| match self.budgets.len() {
                1 => row.variant.name.clone(),
                _ => language.say("ablation.at", &[("name", &row.variant.name), ("budget", &row.budget)]),
            });
            named.collect::<Vec<_>>()
        };
        let joined = |names: &[String]| names.join(&language.say("ablation.and", &[]));
        let (better, worse) = (of(RowVerdict::Better), of(RowVerdict::Worse));
        let told = [("ablation.better", &better), ("ablation.worse", &worse)];
        let mut words: Vec<String> = told
            .into_iter()
            .filter(|(_, names)| !names.is_empty())
            .map(|(key, names)| language.say(key, &[("player", &self.player), ("rows", &joined(names))]))
            .collect();
        let n = self.comparisons - better.len() - worse.len();
        if n > 0 {
            words.push(language.say("ablation.undecided", &[("n", &n), ("of", &self.comparisons)]));
        }
        words.join(&language.say("ablation.then", &[]))
    }
}

impl Detectable {
    /// For a variance of the score of single pairs, after `pairs` of each of `n` comparisons.
    pub fn of(variance: f64, pairs: u64, n: usize) -> Detectable {
        let elo = |level: f64| {
            let score = Some(0.5 + detectable_at(level, variance, pairs)).filter(|_| pairs >= MIN_PAIRS)?;
            round(elo_of_score(score)?, 1)
        };
        Detectable { pairs, of_all: elo(LEVEL / n.max(1) as f64), alone: elo(LEVEL) }
    }

    /// Those differences as a sentence, for `n` comparisons.
    pub fn in_words(&self, n: usize, language: Language) -> String {
        let [all, alone] = [self.of_all, self.alone].map(|elo| elo.map(|elo| format!("{elo:.0}")).unwrap_or_default());
        let key = match (self.of_all, self.alone) {
            (_, None) => "ablation.detectable-none",
            (_, Some(_)) if n == 1 => "ablation.detectable-one",
            (None, Some(_)) => "ablation.detectable-alone",
            (Some(_), Some(_)) => "ablation.detectable",
        };
        language.say(key, &[("n", &self.pairs), ("all", &all), ("alone", &alone)])
    }
}

/// The row of a budget, before its probability is adjusted, and the counts of the variant.
fn row_result(
    plan: &AblationConfig,
    [budget, row]: [usize; 2],
    counts: MatchCounts,
    met: Option<&Met<'_>>,
) -> (RowResult, MatchCounts) {
    // A pairing is seen by the player, which has the lower number.
    let counts = counts.reversed();
    let estimate = counts.estimate();
    let [player, variant] = met.map_or([None; 2], speeds);
    let result = RowResult {
        variant: plan.rows[row].clone(),
        budget: plan.budgets[budget].clone(),
        pairs: counts.pairs.pairs(),
        wdl: wdl(counts.games()),
        pentanomial: counts.pairs.counts,
        score: span(estimate.score, 6),
        elo: span(estimate.elo, 3),
        elo_of_all: span(counts.elo_at(LEVEL / plan.n_comparisons() as f64), 3),
        p: counts.p_equal(),
        p_holm: 1.0,
        verdict: RowVerdict::Undecided,
        per_second: variant.and_then(|x| round(x, 1)),
        per_second_of_player: player.and_then(|x| round(x, 1)),
        speed: variant.zip(player).and_then(|(variant, player)| round(variant / player, 4)),
    };
    (result, counts)
}

/// Simulations per second of both players in their pairs.
fn speeds(met: &Met<'_>) -> [Option<f64>; 2] {
    let mut spent = [Spent::default(), Spent::default()];
    for game in met.pairs.iter().flatten() {
        for side in Side::BOTH {
            spent[usize::from(game.seats[side.index()] != met.players[0])].add(game, side);
        }
    }
    spent.map(|spent| spent.per_second())
}
