//! `banyan calc`: Elo and sequential tests from counts of pairs or games.

use std::io::Write;

use anyhow::Result;
use banyan_arena::stats::{EloScale, Estimate, MatchCounts, MorePairs, Pentanomial, Sprt, SprtState, Wdl};
use banyan_catalog::strength::{SprtView, Strength};
use banyan_catalog::view::{VERSION, json_line};
use banyan_core::TextError;
use clap::{Args, Subcommand, ValueEnum};
use serde::Serialize;

use crate::Exit;
use crate::output::terminal::Terminal;

const EXAMPLES: &str = "\
Examples:
  banyan calc elo 60 5 35                         games: won, drawn, lost
  banyan calc elo --pentanomial 5,10,40,20,25     pairs of games on one opening
  banyan calc sprt 0,10 --pentanomial 5,10,40,20,25
                                                  0 against 10 normalised Elo
  banyan calc sprt 0.5,2.5 --scale bayes 22976 44137 22569

Prefer pairs: the two games of a pair share their opening, while W D L assumes
independent games.";

#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct CalcArgs {
    #[command(subcommand)]
    question: Question,
}

#[derive(Debug, Subcommand)]
enum Question {
    /// Score, Elo and normalised Elo with 95 % intervals, and likelihood of superiority (LOS).
    #[command(after_help = EXAMPLES, override_usage = "banyan calc elo [OPTIONS] <W D L|--pentanomial LL,LD,EVEN,WD,WW>")]
    Elo(EloArgs),
    /// Sequential probability ratio test: LLR, bounds and verdict. Exits with 1 if H0 is accepted.
    #[command(after_help = EXAMPLES)]
    #[command(override_usage = "banyan calc sprt [OPTIONS] <E0,E1> <W D L|--pentanomial LL,LD,EVEN,WD,WW>")]
    Sprt(SprtArgs),
}

#[derive(Debug, Args)]
struct EloArgs {
    #[command(flatten)]
    counts: Counts,

    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Args)]
struct SprtArgs {
    /// Elo under H0 and under H1, such as 0,10.
    #[arg(value_name = "E0,E1", allow_hyphen_values = true)]
    bounds: String,

    #[command(flatten)]
    counts: Counts,

    /// Elo scale of the two hypotheses.
    #[arg(long, value_enum, default_value_t = Scale::Normalized)]
    scale: Scale,

    /// Probability of accepting H1 when H0 is true.
    #[arg(long, default_value_t = 0.05, value_name = "RATE")]
    alpha: f64,

    /// Probability of accepting H0 when H1 is true.
    #[arg(long, default_value_t = 0.05, value_name = "RATE")]
    beta: f64,

    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Args)]
struct Counts {
    /// Games won, drawn and lost.
    #[arg(num_args = 3, value_names = ["W", "D", "L"], conflicts_with = "pentanomial")]
    games: Option<Vec<u64>>,

    /// Counts of game pairs by total score: 0, 1/2, 1, 3/2 and 2 points.
    #[arg(long, value_name = "LL,LD,EVEN,WD,WW", value_parser = pentanomial)]
    pentanomial: Option<Pentanomial>,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Scale {
    /// Normalised Elo: the number of games needed does not depend on the draw rate.
    Normalized,
    /// Logistic Elo of the mean score.
    Logistic,
    /// BayesElo of single games.
    Bayes,
}

impl Counts {
    fn counts(&self) -> Result<MatchCounts, TextError> {
        match (&self.pentanomial, self.games.as_deref()) {
            (Some(pairs), _) => Ok(MatchCounts::from(*pairs)),
            (None, Some(&[wins, draws, losses])) => Ok(MatchCounts::from(Wdl { wins, draws, losses })),
            _ => {
                Err(TextError::new("no counts", "expected games as W D L, or pairs with --pentanomial", "try 60 5 35"))
            }
        }
    }

    fn described(&self, counts: &MatchCounts) -> [String; 2] {
        match self.pentanomial {
            Some(pairs) => {
                let [ll, ld, even, wd, ww] = pairs.counts;
                let counts = format!("LL {ll}, LD {ld}, even {even}, WD {wd}, WW {ww}");
                ["pairs".into(), format!("{}: {counts}", pairs.pairs())]
            }
            None => {
                let Wdl { wins, draws, losses } = counts.singles;
                let n = counts.singles.games();
                ["games".into(), format!("{n}: {wins} won, {draws} drawn, {losses} lost, assumed independent")]
            }
        }
    }

    /// The number of pairs or games needed until the interval excludes equality, or why it is unknown.
    fn next(&self, estimate: &Estimate) -> String {
        let unit = if self.pentanomial.is_some() { "pair" } else { "game" };
        let more = self.more(estimate.more_pairs);
        match (estimate.more_pairs, estimate.score.mid) {
            (MorePairs::Unknown, None) => format!("{more}, no {unit}s"),
            (MorePairs::Unknown, Some(_)) => format!("{more} from 1 {unit}, at least 2 needed"),
            _ => more,
        }
    }

    /// The number still needed, in pairs or in games.
    fn more(&self, more: MorePairs) -> String {
        if self.pentanomial.is_some() { more.to_string() } else { more.to_string().replace("pair", "game") }
    }
}

pub(crate) fn pentanomial(text: &str) -> Result<Pentanomial, TextError> {
    let wrong = || {
        let expected = "expected five counts separated by commas: pairs with 0, 1/2, 1, 3/2 and 2 points";
        TextError::new(format!("{text:?}"), expected, "try 5,10,40,20,25")
    };
    let counts: Vec<u64> = text.split(',').map(|n| n.trim().parse()).collect::<Result<_, _>>().map_err(|_| wrong())?;
    Ok(Pentanomial { counts: counts.try_into().map_err(|_| wrong())? })
}

/// The two hypotheses of `E0,E1`.
fn bounds(text: &str) -> Result<[f64; 2], TextError> {
    let ends: Vec<f64> = text.split(',').filter_map(|end| end.trim().parse().ok()).collect();
    let wrong =
        || TextError::new(format!("bounds {text:?}"), "expected two Elo values separated by a comma", "try 0,10");
    if text.split(',').count() == 2 { ends.try_into().map_err(|_| wrong()) } else { Err(wrong()) }
}

#[derive(Serialize)]
struct Answer {
    v: u32,
    what: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pentanomial: Option<[u64; 5]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    wdl: Option<[u64; 3]>,
    #[serde(flatten)]
    strength: Option<Strength>,
    #[serde(flatten)]
    sprt: Option<SprtView>,
}

impl Answer {
    fn new(what: &'static str, counts: &Counts) -> Answer {
        let wdl = counts.games.as_ref().and_then(|games| games.as_slice().try_into().ok());
        let pentanomial = counts.pentanomial.map(|pairs| pairs.counts);
        Answer { v: VERSION, what, pentanomial, wdl, strength: None, sprt: None }
    }
}

pub(crate) fn run(args: &CalcArgs, terminal: &mut Terminal) -> Result<Exit> {
    match &args.question {
        Question::Elo(args) => elo(args, terminal),
        Question::Sprt(args) => sprt(args, terminal),
    }
}

fn elo(args: &EloArgs, terminal: &mut Terminal) -> Result<Exit> {
    let counts = args.counts.counts()?;
    let estimate = counts.estimate();
    if args.json {
        let strength = Some(Strength::of(&estimate));
        writeln!(terminal.out, "{}", json_line(&Answer { strength, ..Answer::new("elo", &args.counts) }))?;
    } else {
        print(terminal, &[args.counts.described(&counts)])?;
        print(terminal, &strength_lines(&estimate, args.counts.next(&estimate)))?;
    }
    Ok(Exit::Done)
}

fn sprt(args: &SprtArgs, terminal: &mut Terminal) -> Result<Exit> {
    let [elo0, elo1] = bounds(&args.bounds)?;
    let scale = match args.scale {
        Scale::Normalized => EloScale::Normalized,
        Scale::Logistic => EloScale::Logistic,
        Scale::Bayes if args.counts.pentanomial.is_some() => {
            let expected = "expected single games, for which BayesElo is defined";
            return Err(TextError::new("--scale bayes --pentanomial", expected, "use W D L or another scale").into());
        }
        Scale::Bayes => EloScale::Bayes,
    };
    let test = Sprt::new(scale, elo0, elo1, args.alpha, args.beta)?;
    let counts = args.counts.counts()?;
    let state = test.test(&counts);
    let view = SprtView::of(scale, &test, &state);
    let rejected = view.decision == "H0";
    if args.json {
        writeln!(terminal.out, "{}", json_line(&Answer { sprt: Some(view), ..Answer::new("sprt", &args.counts) }))?;
    } else {
        print(terminal, &[args.counts.described(&counts)])?;
        print(terminal, &test_lines(&view, &state, &args.counts))?;
    }
    Ok(if rejected { Exit::No } else { Exit::Done })
}

fn strength_lines(estimate: &Estimate, next: String) -> [[String; 2]; 5] {
    let percent = estimate.score.map(|score| Some(100.0 * score));
    let los = format!("{:.1} % likelihood of superiority", 100.0 * estimate.los);
    [
        ["score %".into(), format!("{percent:.2}")],
        ["Elo".into(), format!("{:+.2}", estimate.elo)],
        ["nElo".into(), format!("{:+.2}", estimate.nelo)],
        ["LOS".into(), los],
        ["next".into(), next],
    ]
}

fn test_lines(view: &SprtView, state: &SprtState, counts: &Counts) -> [[String; 2]; 4] {
    let verdict = match view.decision.as_str() {
        "H0" => "H0 accepted".to_owned(),
        "H1" => "H1 accepted".to_owned(),
        _ => "undecided".to_owned(),
    };
    [
        ["test".into(), format!("H0: {} Elo, H1: {} Elo, {}", view.elo0, view.elo1, view.scale)],
        ["LLR".into(), format!("{:.3} ({:.2} .. {:.2})", view.llr, view.lower, view.upper)],
        ["verdict".into(), verdict],
        ["next".into(), counts.more(state.more_pairs)],
    ]
}

fn print(terminal: &mut Terminal, lines: &[[String; 2]]) -> Result<()> {
    for [name, value] in lines {
        writeln!(terminal.out, "{name:<8} {value}")?;
    }
    Ok(())
}
