//! Transcripts of Saiblo, which sends positions.

use std::io::ErrorKind;

use banyan_core::TextError;

use super::{Numbers, Start, Turn};
use crate::scan::Line;
use crate::transcript::{Games, Transcript};

/// Numbers of a board of 4x4 and one turn on it.
const FEWEST_NUMBERS: usize = 4 + 2 + 4 + 16;

/// Whether the lines contain numbers only, the first of them four: the board. Moves have no numbers below zero, and fewer lines
/// than a turn has numbers.
pub(crate) fn recognises(lines: &[Line<'_>]) -> bool {
    let is_number = |word: &str| word.parse::<i64>().is_ok();
    let first = lines.iter().find(|line| !line.text.is_empty());
    let is_board = first.is_some_and(|line| line.text.split_whitespace().count() == 4);
    let has_negative = lines.iter().any(|line| line.text.contains('-'));
    let is_long = lines.iter().map(|line| line.words().count()).sum::<usize>() > FEWEST_NUMBERS;
    is_board && (has_negative || is_long) && lines.iter().all(|line| line.text.split_whitespace().all(is_number))
}

/// The last position at which a move was requested.
pub(crate) fn read(games: &mut Games, lines: &[Line<'_>]) -> Result<(), TextError> {
    let sent: Vec<&Line<'_>> = lines.iter().filter(|line| line.from_engine != Some(true)).collect();
    let text: String = sent.iter().map(|line| format!("{}\n", line.text)).collect();
    let mut unread = text.as_bytes();
    let mut last: Option<(usize, Turn)> = None;
    let mut start = None;
    // The number of bytes before `unread`, and the number of their lines, each of which ends with its line end.
    let (mut n_read, mut n_lines) = (0, 0);
    loop {
        let now = text.len() - unread.len();
        n_lines += text.as_bytes()[n_read..now].iter().filter(|&&byte| byte == b'\n').count();
        n_read = now;
        let is_within = now > 0 && text.as_bytes()[now - 1] != b'\n';
        let line = sent.get(n_lines + usize::from(is_within)).map_or(lines.len(), |line| line.number);
        let mut numbers = Numbers::new(&mut unread);
        let read = match &start {
            None => Start::read(&mut numbers).map(|read| read.map(|read| start = Some(read))),
            Some(start) => Turn::read(&mut numbers, start).map(|read| read.map(|turn| last = Some((line, turn)))),
        };
        match read {
            Ok(Some(())) => {}
            Ok(None) => break,
            Err(err) => {
                debug_assert_eq!(err.kind(), ErrorKind::InvalidData, "memory can be read");
                let err = err.to_string();
                let (expected, remedy) = err.rsplit_once("; ").unwrap_or((&err, "use the format of Saiblo"));
                return Err(TextError::new(format!("line {line}"), expected, remedy));
            }
        }
    }
    if let Some(start) = start {
        games.0.push(Transcript {
            protocol: "saiblo",
            spec: Some(start.spec()),
            position: last.map(|(line, turn)| (line, turn.position(&start))),
            ..Transcript::default()
        });
    }
    Ok(())
}
