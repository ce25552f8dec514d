//! The score table of Tsinghua's game-playing course: the first player against its numbered opponents, with 2 points for a
//! win, 1 for a draw and 0 for a loss.
//!
//! An opponent's number is the one at the end of its name, without settings, folder and extension (`level-4`, `so/84.so`);
//! if there is none, its number in the match.

use super::outcome::Outcome;
use super::report::Sheet;
use super::{csv, markdown as md};
use crate::pairing_summary::PairingSummary;
use crate::summary::Summary;

pub(super) fn markdown(outcome: &Outcome<'_>) -> String {
    let (config, sheet) = (outcome.config(), sheet(outcome.summary()));
    let player = config.players.first().map_or("", |player| player.name.as_str());
    format!("# {player} on {}\n\nWin 2, draw 1, loss 0.\n\n{}", config.game, md::table(&sheet))
}

pub(super) fn csv(outcome: &Outcome<'_>) -> String {
    csv::table(&sheet(outcome.summary()))
}

fn sheet(summary: &Summary) -> Sheet {
    let mut met: Vec<(u64, &PairingSummary)> =
        summary.pairings.iter().filter(|pairing| pairing.players[0] == 0).map(numbered).collect();
    met.sort_by_key(|&(number, pairing)| (number, pairing.players[1]));
    let mut rows: Vec<Vec<String>> =
        met.iter().map(|&(number, pairing)| row(number.to_string(), pairing.names[1].clone(), pairing.wdl)).collect();
    let total = met.iter().fold([0; 3], |sum, (_, pairing)| [0, 1, 2].map(|i| sum[i] + pairing.wdl[i]));
    rows.push(row("all".to_owned(), String::new(), total));
    let headings = [">number", "opponent", ">games", ">won", ">drawn", ">lost", ">points", ">of", ">win %"];
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
