//! One row per pairing with every number, for spreadsheets and data frames. Fields are quoted as in RFC 4180.

use crate::matches::{MatchConfig, PairingSummary, Summary};
use crate::strength::Span;

const HEADINGS: &str = "player,opponent,pairs,wins,draws,losses,first_wins,first_draws,first_losses,second_wins,\
second_draws,second_losses,ll,ld,even,wd,ww,score_low,score,score_high,elo_low,elo,elo_high,nelo_low,nelo,nelo_high,los,\
more_pairs,llr,decision,repeated_pairs,incomplete_pairs";

pub(super) fn write(_config: &MatchConfig, summary: &Summary) -> String {
    let rows = summary.pairings.iter().map(|pairing| line(&row(pairing)));
    std::iter::once(format!("{HEADINGS}\r\n")).chain(rows).collect()
}

fn row(pairing: &PairingSummary) -> Vec<String> {
    let (strength, sprt) = (&pairing.strength, pairing.sprt.as_ref());
    let mut cells = pairing.names.to_vec();
    cells.push(pairing.pairs.to_string());
    cells.extend([pairing.wdl, pairing.as_first, pairing.as_second].concat().iter().map(u64::to_string));
    cells.extend(pairing.pentanomial.iter().map(u64::to_string));
    let number = |x: Option<f64>| x.map(|x| x.to_string()).unwrap_or_default();
    let span = |span: Span| span.map(number);
    cells.extend([strength.score, strength.elo, strength.nelo].map(span).concat());
    cells.push(strength.los.to_string());
    cells.push(strength.more_pairs.map(|n| n.to_string()).unwrap_or_default());
    cells.push(number(sprt.map(|sprt| sprt.llr)));
    cells.push(sprt.map(|sprt| sprt.decision.clone()).unwrap_or_default());
    cells.push(pairing.repeated_pairs.to_string());
    cells.push(pairing.incomplete_pairs.len().to_string());
    cells
}

/// Cells as a line; those with a comma, a quote or a line break in quotes.
pub(super) fn line(cells: &[String]) -> String {
    let quoted = cells.iter().map(|cell| match cell.contains([',', '"', '\n', '\r']) {
        true => format!("\"{}\"", cell.replace('"', "\"\"")),
        false => cell.clone(),
    });
    quoted.collect::<Vec<_>>().join(",") + "\r\n"
}
