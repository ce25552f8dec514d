//! Rows for spreadsheets and data frames: one per pairing with every number, or one per game, pair or move. Fields are quoted as in
//! RFC 4180.

use banyan_catalog::strength::Span;
use banyan_texts::Language;

use super::ablation::verdict;
use super::outcome::Outcome;
use super::report::Sheet;
use super::rows::{Rows, Values};
use crate::ablation::{AblationResult, RowResult};
use crate::pairing_summary::PairingSummary;
use crate::summary::Summary;
use crate::sweep::places;

const HEADINGS: &str = "player,opponent,pairs,wins,draws,losses,first_wins,first_draws,first_losses,second_wins,\
second_draws,second_losses,ll,ld,even,wd,ww,score_low,score,score_high,elo_low,elo,elo_high,nelo_low,nelo,nelo_high,los,\
more_pairs,llr,decision,repeated_pairs,incomplete_pairs,player_ms_per_move,opponent_ms_per_move,player_memory_bytes,\
opponent_memory_bytes";

/// Columns of an ablation.
const ABLATION: &str = "row,settings,instead_of,budget,pairs,wins,draws,losses,ll,ld,even,wd,ww,score_low,score,score_high,elo_low,elo,\
elo_high,all_low,all_high,p,p_holm,verdict,per_second,player_per_second,speed,note,paper";

/// A row for each pairing, or of an ablation for each row and budget; of a sweep with the values of the settings at its end.
pub(super) fn write(outcome: &Outcome<'_>) -> String {
    if let Some(result) = outcome.ablation() {
        return ablation(result);
    }
    let (config, summary) = (outcome.config(), outcome.summary());
    let settings: Vec<String> = config.sweep.iter().flat_map(|sweep| &sweep.vary).map(|row| row.name.clone()).collect();
    let values = config.sweep.as_ref().map_or_else(Vec::new, |sweep| places(&sweep.vary));
    let headings: Vec<String> = HEADINGS.split(',').map(str::to_owned).chain(settings).collect();
    let row = |pairing: &PairingSummary| {
        let place = pairing.players.into_iter().filter(|&player| player > 0).find_map(|player| values.get(player - 1));
        let mut cells = row(pairing, summary);
        cells.extend(place.into_iter().flatten().map(f64::to_string));
        line(&cells)
    };
    std::iter::once(line(&headings)).chain(summary.pairings.iter().map(row)).collect()
}

/// A row of CSV for each row and budget, with every number.
fn ablation(result: &AblationResult) -> String {
    let number = |x: Option<f64>| x.map(|x| x.to_string()).unwrap_or_default();
    let row = |row: &RowResult| {
        let mut cells = [&row.variant.name, &row.variant.settings, &row.variant.instead_of, &row.budget]
            .map(String::clone)
            .to_vec();
        cells.push(row.pairs.to_string());
        cells.extend(row.wdl.iter().chain(&row.pentanomial).map(u64::to_string));
        cells.extend([row.score, row.elo].concat().into_iter().map(number));
        cells.extend([row.elo_of_all[0], row.elo_of_all[2]].map(number));
        cells.extend([row.p, row.p_holm].map(|p| p.to_string()));
        cells.push(verdict(row.verdict, Language::En));
        cells.extend([row.per_second, row.per_second_of_player, row.speed].map(number));
        cells.extend([&row.variant.note, &row.variant.paper].map(|text| text.clone().unwrap_or_default()));
        line(&cells)
    };
    let headings: Vec<String> = ABLATION.split(',').map(str::to_owned).collect();
    std::iter::once(line(&headings)).chain(result.rows.iter().map(row)).collect()
}

/// Columns of values.
pub(super) fn rows(rows: &Rows) -> String {
    let cell = |values: &Values, i: usize| match values {
        Values::Whole(values) => values[i].map(|x| x.to_string()),
        Values::Real(values) => values[i].map(|x| x.to_string()),
        Values::Text(values) => values[i].clone(),
    };
    let headings = rows.columns.iter().map(|(name, _)| (*name).to_owned()).collect();
    let lines = (0..rows.len()).map(|i| rows.columns.iter().map(|(_, all)| cell(all, i).unwrap_or_default()).collect());
    std::iter::once(headings).chain(lines).map(|cells: Vec<String>| line(&cells)).collect()
}

/// The first table of the report, with English headings.
pub(super) fn first_table(outcome: &Outcome<'_>) -> String {
    outcome.first_sheet().map_or_else(String::new, table)
}

fn row(pairing: &PairingSummary, summary: &Summary) -> Vec<String> {
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
    // Over all games of each player, not only those of the pairing.
    let spending = pairing.players.map(|player| &summary.players[player].spending);
    cells.extend(spending.map(|spending| number(spending.time_ms)));
    cells.extend(spending.map(|spending| spending.memory_bytes.map(|bytes| bytes.to_string()).unwrap_or_default()));
    cells
}

/// A table with its headings.
pub(super) fn table(sheet: &Sheet) -> String {
    let headings = sheet.columns.iter().map(|column| column.heading.clone()).collect();
    let rows = sheet.rows.iter().map(|row| row.iter().map(|cell| cell.text.clone()).collect());
    std::iter::once(headings).chain(rows).map(|cells: Vec<String>| line(&cells)).collect()
}

/// Cells as a line; those with a comma, a quote or a line break in quotes. A text that a spreadsheet would take for a formula
/// begins with an apostrophe.
fn line(cells: &[String]) -> String {
    let plain = cells.iter().map(|cell| match cell.starts_with(['=', '+', '-', '@', '\t']) && !is_number(cell) {
        true => format!("'{cell}"),
        false => cell.clone(),
    });
    let quoted = plain.map(|cell| match cell.contains([',', '"', '\n', '\r']) {
        true => format!("\"{}\"", cell.replace('"', "\"\"")),
        false => cell,
    });
    quoted.collect::<Vec<_>>().join(",") + "\r\n"
}

/// Digits with a sign and a point, or with an exponent.
fn is_number(cell: &str) -> bool {
    cell.parse::<f64>().is_ok_and(f64::is_finite)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_cell_is_a_formula() {
        let cells = ["=1+1", "+x", "-", "-2.5", "+3", "@SUM(1)", "-inf", "=a,\"b\"", "a=b"].map(str::to_owned);
        assert_eq!(line(&cells), "'=1+1,'+x,'-,-2.5,+3,'@SUM(1),'-inf,\"'=a,\"\"b\"\"\",a=b\r\n");
    }
}
