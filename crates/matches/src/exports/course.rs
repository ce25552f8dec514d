//! The score table of Tsinghua's game-playing course: the first player against its numbered opponents, with 2 points for a
//! win, 1 for a draw and 0 for a loss.
//!
//! An opponent's number is the one at the end of its name, without settings, folder and extension (`level-4`, `so/84.so`);
//! if there is none, its number in the match.

use banyan_texts::Language;

use super::outcome::Outcome;
use super::report::Sheet;
use super::{csv, markdown as md};
use crate::pairing_summary::PairingSummary;
use crate::summary::Summary;

pub(super) fn markdown(outcome: &Outcome<'_>) -> String {
    let (config, language) = (outcome.config(), outcome.report().language);
    let sheet = sheet(outcome.summary(), language);
    let player = config.players.first().map_or("", |player| player.name.as_str());
    let title = language.say("course.title", &[("player", &player), ("game", &config.game)]);
    format!("# {title}\n\n{}\n\n{}", language.say("course.rule", &[]), md::table(&sheet))
}

pub(super) fn csv(outcome: &Outcome<'_>) -> String {
    csv::table(&sheet(outcome.summary(), Language::En))
}

fn sheet(summary: &Summary, language: Language) -> Sheet {
    let text = |key: &str| language.say(key, &[]);
    let number = |key: &str| format!(">{}", text(key));
    let mut met: Vec<(u64, &PairingSummary)> =
        summary.pairings.iter().filter(|pairing| pairing.players[0] == 0).map(numbered).collect();
    met.sort_by_key(|&(number, pairing)| (number, pairing.players[1]));
    let mut rows: Vec<Vec<String>> =
        met.iter().map(|&(number, pairing)| row(number.to_string(), pairing.names[1].clone(), pairing.wdl)).collect();
    let total = met.iter().fold([0; 3], |sum, (_, pairing)| [0, 1, 2].map(|i| sum[i] + pairing.wdl[i]));
    rows.push(row(text("course.all"), String::new(), total));
    let headings = [
        number("course.number"),
        text("course.opponent"),
        number("course.games"),
        number("course.won"),
        number("course.drawn"),
        number("course.lost"),
        number("course.points"),
        number("course.of"),
        number("course.win-rate"),
    ];
    Sheet::new("Course", &headings, rows)
}

fn row(number: String, opponent: String, wdl: [u64; 3]) -> Vec<String> {
    let [wins, draws, losses] = wdl;
    let games = wins + draws + losses;
    let rate = if games == 0 { "-".to_owned() } else { format!("{:.1}", 100.0 * wins as f64 / games as f64) };
    let mut cells = vec![number, opponent];
    cells.extend([games, wins, draws, losses, 2 * wins + draws, 2 * games].map(|n| n.to_string()));
    cells.push(rate);
    cells
}

fn numbered(pairing: &PairingSummary) -> (u64, &PairingSummary) {
    let name = pairing.names[1].split([':', '@', ' ']).next().unwrap_or_default();
    let file = name.rsplit(['/', '\\']).next().unwrap_or_default();
    let stem = file.rsplit_once('.').map_or(file, |(stem, _)| stem);
    let digits = stem.len() - stem.trim_end_matches(|c: char| c.is_ascii_digit()).len();
    let number = stem[stem.len() - digits..].parse().unwrap_or(pairing.players[1] as u64);
    (number, pairing)
}
