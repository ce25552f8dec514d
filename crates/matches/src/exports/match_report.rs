//! The report of a match: its tables, and on the page the result in large type and the progress of every pairing.

use std::fmt::Display;

use banyan_catalog::strength::{Span, signed};
use banyan_texts::Language;

use super::chart::{Chart, Form, ON_PAGE, Scale};
use super::dots::{Dot, dots};
use super::report::{Figure, Part, Report, Section, ShortNames};
use super::sheets::{PlayerNames, sheets, versus};
use crate::config::MatchConfig;
use crate::pairing_summary::PairingSummary;
use crate::summary::Summary;

/// Elo values are clamped to this, so that outliers do not flatten the curve.
const FURTHEST_ELO: f64 = 800.0;

/// The report of a match.
pub(super) fn match_report(config: &MatchConfig, summary: &Summary, language: Language) -> Report {
    let numbered = PlayerNames::numbered(summary);
    let legend =
        numbered.names().iter().zip(&summary.players).map(|(name, player)| [name.clone(), player.name.clone()]);
    let players: Vec<&str> = config.players.iter().map(|player| player.name.as_str()).collect();
    Report {
        title: format!("{}: {}", config.game, players.join(", ")),
        facts: vec![
            language.say("summary.games-and-pairs", &[("games", &summary.games), ("pairs", &summary.pairs)]),
            language.say("summary.seed-and-openings", &[("seed", &config.seed), ("openings", &config.openings)]),
        ],
        warnings: summary.warnings.clone(),
        sheets: sheets(summary, &PlayerNames::full(summary), language),
        short: Some(ShortNames { legend: legend.collect(), sheets: sheets(summary, &numbered, language) }),
        answer: answer(summary, language),
        sections: progress(summary, language).into_iter().collect(),
        picture: picture(summary, language),
        ..Report::new(&config.game, config, language)
    }
}

/// With two players the result.
fn answer(summary: &Summary, language: Language) -> Vec<Part> {
    let [pairing] = &summary.pairings[..] else { return Vec::new() };
    let ([one, other], [wins, draws, losses]) = (&pairing.names, pairing.wdl);
    let all = (wins + draws + losses).max(1) as f64;
    let strength = &pairing.strength;
    let percent = format!("{:.1}", 100.0 * strength.los);
    let los = language.say("summary.los", &[("percent", &percent)]);
    let counts: [(&str, &dyn Display); 4] = [("w", &wins), ("d", &draws), ("l", &losses), ("los", &los)];
    vec![
        Part::Large(language.say("summary.versus", &[("one", one), ("other", other)])),
        elo(strength.elo, &language.say("summary.interval", &[])),
        Part::Bar(pairing.wdl.map(|n| n as f64 / all)),
        Part::Small(language.say("summary.wdl", &counts)),
    ]
}

/// Elo in large type, coloured if the interval excludes 0.
pub(super) fn elo(elo: Span, name: &str) -> Part {
    let is_better = match elo {
        [Some(low), ..] if low > 0.0 => Some(true),
        [.., Some(high)] if high < 0.0 => Some(false),
        _ => None,
    };
    Part::Number { text: signed(elo), name: name.to_owned(), is_better }
}

/// The progress of two players, the ratings of more.
fn picture(summary: &Summary, language: Language) -> Vec<Figure> {
    match &summary.pairings[..] {
        [pairing] => charts(pairing, language).collect(),
        _ => {
            let rated = summary.players.iter().filter_map(|player| Some(Dot::of(&player.name, player.rating?)));
            dots(rated.collect(), Form::Number, &language.say("summary.rated", &[])).into_iter().collect()
        }
    }
}

fn charts(pairing: &PairingSummary, language: Language) -> impl Iterator<Item = Figure> + use<> {
    [elo_chart(pairing, language), llr_chart(pairing, language)].into_iter().flatten()
}

fn progress(summary: &Summary, language: Language) -> Option<Section> {
    let figures: Vec<Part> =
        summary.pairings.iter().flat_map(|pairing| charts(pairing, language)).map(Part::Figure).collect();
    match summary.pairings.len() {
        _ if figures.is_empty() => None,
        1 => Some(Section { title: language.say("summary.progress", &[]), parts: figures }),
        n => Some(Section::of("", Part::Folded(language.say("summary.progress-of", &[("n", &n)]), figures))),
    }
}

/// The interval of Elo over the pairs played; `None` before there are two points.
fn elo_chart(pairing: &PairingSummary, language: Language) -> Option<Figure> {
    let trail = &pairing.trail;
    let later = &trail[trail.len() / 4..];
    let ends = later.iter().flat_map(|point| point.elo).flatten().map(|elo| elo.clamp(-FURTHEST_ELO, FURTHEST_ELO));
    let (mut chart, y) = over_pairs(pairing, ends.chain([0.0, 20.0, -20.0]))?;
    chart.level("zero", 0.0);
    // If an end is missing, the band extends to the edge of the plot.
    let end = |which: usize, edge: f64| trail.iter().map(move |p| [p.pairs as f64, p.elo[which].unwrap_or(edge)]);
    chart.band(end(0, y.low).collect(), end(2, y.high).collect());
    chart.curve("line", trail.iter().filter_map(|p| Some([p.pairs as f64, p.elo[1]?])));
    Some(chart.figure(language.say("summary.elo-chart", &[("players", &versus(pairing))])))
}

/// The path of the sequential test between its bounds; `None` without a test or before there are two points.
fn llr_chart(pairing: &PairingSummary, language: Language) -> Option<Figure> {
    let test = pairing.sprt.as_ref()?;
    let path: Vec<[f64; 2]> = pairing.trail.iter().filter_map(|p| Some([p.pairs as f64, p.llr?])).collect();
    let (mut chart, _) = over_pairs(pairing, path.iter().map(|[_, llr]| *llr).chain([test.lower, test.upper]))?;
    chart.level("zero", 0.0);
    for (bound, name, elo, below) in [(test.upper, "H1", test.elo1, 14.0), (test.lower, "H0", test.elo0, -6.0)] {
        chart.level("bound", bound);
        chart.text([ON_PAGE.left + 8.0, chart.up(bound) + below], "start", &format!("{name}: {elo} nElo"));
    }
    chart.curve("line", path);
    let caption = language.say("summary.llr-chart", &[("players", &versus(pairing))]);
    Some(chart.figure(caption))
}

/// The axes of a chart that reaches to these values; `None` before there are two points.
fn over_pairs(pairing: &PairingSummary, ends: impl Iterator<Item = f64>) -> Option<(Chart, Scale)> {
    let last = pairing.trail.last().filter(|_| pairing.trail.len() > 1)?;
    let (low, high) = ends.fold((f64::MAX, f64::MIN), |(low, high), y| (low.min(y), high.max(y)));
    let room = 0.08 * (high - low);
    let y = Scale { low: low - room, high: high + room, form: Form::Number };
    Some((Chart::new(ON_PAGE, Scale { low: 0.0, high: last.pairs as f64, form: Form::Whole }, y), y))
}
