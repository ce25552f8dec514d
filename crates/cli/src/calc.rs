//! `banyan calc`: what given counts of pairs or games say about strength.

use std::io::Write;

use anyhow::Result;
use banyan_arena::stats::{EloScale, Estimate, MatchCounts, MorePairs, Pentanomial, Sprt, SprtState, Wdl};
use banyan_catalog::strength::{SprtView, Strength};
use banyan_catalog::view::{VERSION, json_line};
use banyan_core::TextError;
use clap::{Args, Subcommand, ValueEnum};
use serde::Serialize;

use crate::Exit;
use crate::terminal::Terminal;

const EXAMPLES: &str = "\
Examples:
  banyan calc elo 60 5 35                                 independent games: won, drawn, lost
  banyan calc elo --pentanomial 5,10,40,20,25             pairs of games on one opening
  banyan calc sprt 0,10 --pentanomial 5,10,40,20,25       0 or 10 normalised Elo?
  banyan calc sprt 0.5,2.5 --scale bayes 22976 44137 22569

Count pairs where you can: the two games of a pair share their opening, and W D L takes them for independent.";

#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct CalcArgs {
    #[command(subcommand)]
    question: Question,
}

#[derive(Debug, Subcommand)]
enum Question {
    /// Score, Elo and normalised Elo with their 95 % intervals, and the likelihood of superiority.
    #[command(after_help = EXAMPLES, override_usage = "banyan calc elo [OPTIONS] <W D L | --pentanomial LL,LD,EVEN,WD,WW>")]
    Elo(EloArgs),
    /// A sequential test: log-likelihood ratio, bounds and verdict. Exits with 1 if the weaker hypothesis is accepted.
    #[command(after_help = EXAMPLES)]
    #[command(override_usage = "banyan calc sprt [OPTIONS] <E0,E1> <W D L | --pentanomial LL,LD,EVEN,WD,WW>")]
    Sprt(SprtArgs),
}

#[derive(Debug, Args)]
struct EloArgs {
    #[command(flatten)]
    counts: Counts,

    /// Write one object of JSON.
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Args)]
struct SprtArgs {
    /// The two strengths to decide between, the weaker first, such as 0,10.
    #[arg(value_name = "E0,E1", allow_hyphen_values = true)]
    bounds: String,

    #[command(flatten)]
    counts: Counts,

    /// What the strengths are measured in.
    #[arg(long, value_enum, default_value_t = Scale::Normalized)]
    scale: Scale,

    /// Rate of accepting E1 when E0 is true.
    #[arg(long, default_value_t = 0.05, value_name = "RATE")]
    alpha: f64,

    /// Rate of accepting E0 when E1 is true.
    #[arg(long, default_value_t = 0.05, value_name = "RATE")]
    beta: f64,

    /// Write one object of JSON.
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Args)]
struct Counts {
    /// Games won, drawn and lost.
    #[arg(num_args = 3, value_names = ["W", "D", "L"], conflicts_with = "pentanomial")]
    games: Option<Vec<u64>>,

    /// Pairs of games by the points made in both: two losses, a loss and a draw, even, a win and a draw, two wins.
    #[arg(long, value_name = "LL,LD,EVEN,WD,WW", value_parser = pentanomial)]
    pentanomial: Option<Pentanomial>,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Scale {
    /// Normalised Elo: equally many games whatever the share of draws.
    Normalized,
    /// Logistic Elo of the score.
    Logistic,
    /// BayesElo of single games, as in older runners.
    Bayes,
}

impl Counts {
    fn counts(&self) -> Result<MatchCounts, TextError> {
        match (&self.pentanomial, self.games.as_deref()) {
            (Some(pairs), _) => Ok(MatchCounts::from(*pairs)),
            (None, Some(&[wins, draws, losses])) => Ok(MatchCounts::from(Wdl { wins, draws, losses })),
            _ => Err(TextError::new("no counts", "games as W D L, or --pentanomial with pairs", "try 60 5 35")),
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
                ["games".into(), format!("{n}: {wins} won, {draws} drawn, {losses} lost, taken as independent")]
            }
        }
    }

    /// Pairs are counted, or games.
    fn more(&self, more: MorePairs) -> String {
        if self.pentanomial.is_some() { more.to_string() } else { more.to_string().replace("pair", "game") }
    }
}

fn pentanomial(text: &str) -> Result<Pentanomial, TextError> {
    let wrong = || {
        let expected = "five whole numbers joined by commas: pairs with 0, 1/2, 1, 1 1/2 and 2 points";
        TextError::new(format!("{text:?}"), expected, "try 5,10,40,20,25")
    };
    let counts: Vec<u64> = text.split(',').map(|n| n.trim().parse()).collect::<Result<_, _>>().map_err(|_| wrong())?;
    Ok(Pentanomial { counts: counts.try_into().map_err(|_| wrong())? })
}

/// The two hypotheses of `E0,E1`.
fn bounds(text: &str) -> Result<[f64; 2], TextError> {
    let ends: Vec<f64> = text.split(',').filter_map(|end| end.trim().parse().ok()).collect();
    let wrong = || TextError::new(format!("bounds {text:?}"), "two strengths in Elo joined by a comma", "try 0,10");
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
        print(terminal, &strength_lines(&estimate, &args.counts.more(estimate.more_pairs)))?;
    }
    Ok(Exit::Done)
}

fn sprt(args: &SprtArgs, terminal: &mut Terminal) -> Result<Exit> {
    let [elo0, elo1] = bounds(&args.bounds)?;
    let scale = match args.scale {
        Scale::Normalized => EloScale::Normalized,
        Scale::Logistic => EloScale::Logistic,
        Scale::Bayes if args.counts.pentanomial.is_some() => {
            let expected = "BayesElo counts single games";
            return Err(TextError::new("--scale bayes --pentanomial", expected, "give W D L or another scale").into());
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

fn strength_lines(estimate: &Estimate, more: &str) -> [[String; 2]; 5] {
    let percent = estimate.score.map(|score| Some(100.0 * score));
    let los = format!("{:.1} % likely to be the stronger one", 100.0 * estimate.los);
    [
        ["score %".into(), format!("{percent:.2}")],
        ["Elo".into(), format!("{:+.2}", estimate.elo)],
        ["nElo".into(), format!("{:+.2}", estimate.nelo)],
        ["LOS".into(), los],
        ["next".into(), format!("{more}{}", if more == "unknown" { ", nothing has been played" } else { "" })],
    ]
}

fn test_lines(view: &SprtView, state: &SprtState, counts: &Counts) -> [[String; 2]; 4] {
    let verdict = match view.decision.as_str() {
        "H0" => format!("H0 accepted: nearer to {} than to {}", view.elo0, view.elo1),
        "H1" => format!("H1 accepted: nearer to {} than to {}", view.elo1, view.elo0),
        _ => "too early to say".to_owned(),
    };
    [
        ["test".into(), format!("{} against {} Elo, {}", view.elo0, view.elo1, view.scale)],
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
