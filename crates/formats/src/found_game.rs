//! The game of a record that does not name it: the one whose rules allow its moves or its position.

use banyan_catalog::{Catalog, Opening, Session};
use banyan_core::TextError;

use crate::board_text;
use crate::scan::{Place, at, lines};
use crate::transcript::{MOST_MOVES, Step, Transcript};

/// Gives a record its game and its position in the notation of the game. `given` is the game, if the caller names one.
///
/// # Errors
/// Moves or a position of no game, or of several.
pub(crate) fn settle(catalog: &Catalog, given: Option<&str>, record: &mut Transcript) -> Result<(), TextError> {
    if record.spec.is_some() {
        return match record.reaches.take() {
            Some(reached) => settle_reached(catalog, reached, record),
            None => Ok(()),
        };
    }
    if let Some((line, position)) = &record.position
        && record.family.is_empty()
    {
        record.boards = board_text::read(&lines(position));
        record.boards.iter_mut().for_each(|board| board.line = *line);
    }
    let is_open = record.family.is_empty() && (given.is_none() || record.position.is_some());
    if record.boards.is_empty() && (!is_open || record.steps.is_empty()) {
        return Ok(());
    }
    let found = if record.boards.is_empty() { starts(catalog)? } else { boards(catalog, given, record)? };
    let (spec, position) = best(found, record)?;
    record.is_found = given.is_none();
    if let Some(position) = position {
        let line = record.boards.first().map_or(1, |board| board.line);
        (record.position, record.spec) = (Some((line, position)), Some(spec));
    } else {
        record.family =
            catalog.families().iter().map(|family| family.name).find(|name| *name == spec).unwrap_or_default();
    }
    record.boards.clear();
    Ok(())
}

/// Drops moves that do not lead from the start of the game to the position that is given besides.
fn settle_reached(catalog: &Catalog, reached: (usize, String), record: &mut Transcript) -> Result<(), TextError> {
    let mut session = catalog.game(record.spec.as_deref().unwrap_or_default())?.open(Opening::Start)?;
    let (_, wrong) = record.replay(&mut session);
    if wrong.is_some() || session.position() != reached.1 {
        record.steps.clear();
        record.position = Some(reached);
    }
    Ok(())
}

/// Makes one record of lines that are not separate games: if the second line is no beginning of a game, it continues the
/// first.
///
/// # Errors
/// As for [`settle`].
pub(crate) fn join_lines(catalog: &Catalog, given: Option<&str>, games: &mut Vec<Transcript>) -> Result<(), TextError> {
    let is_line = |game: &Transcript| {
        game.protocol == "moves" && game.numbers.is_empty() && game.spec.is_none() && game.players.is_none()
    };
    let n_steps: usize = games.iter().map(|game| game.steps.len()).sum();
    if games.len() < 2
        || n_steps > MOST_MOVES
        || !games.iter().all(is_line)
        || games.iter().all(|game| is_run(&game.steps))
    {
        return Ok(());
    }
    let mut joined = games[0].clone();
    for game in &games[1..] {
        joined.steps.extend_from_slice(&game.steps);
        joined.ended = game.ended.clone().or(joined.ended);
        joined.broken = joined.broken.or(game.broken.clone());
    }
    settle(catalog, given, &mut joined)?;
    let spec = given.unwrap_or(joined.family);
    let second_begins = Transcript { family: joined.family, ..games[1].clone() };
    let mut session = catalog.game(spec)?.open(Opening::Start)?;
    if second_begins.replay(&mut session).1.is_some() {
        *games = vec![joined];
    }
    Ok(())
}

/// Whether moves are written without blanks between them.
fn is_run(steps: &[Step]) -> bool {
    let follows = |pair: &[Step]| match (pair[0].place, pair[1].place) {
        (Place::Column(line, column), Place::Column(next, after)) => line == next && column + pair[0].mv.len() == after,
        _ => false,
    };
    let is_digits = |step: &Step| step.is_digits() && step.mv.len() > 1;
    steps.windows(2).all(follows) && (steps.len() > 1 || steps.iter().all(is_digits))
}

/// A game as which a record can be read: its specification, its position unless it is the start, and a session there.
struct Candidate {
    spec: String,
    position: Option<String>,
    session: Session,
}

/// The start of every game on its default board.
fn starts(catalog: &Catalog) -> Result<Vec<Candidate>, TextError> {
    let start = |name: &str| {
        let session = catalog.game(name)?.open(Opening::Start)?;
        Ok(Candidate { spec: name.to_owned(), position: None, session })
    };
    catalog.families().iter().map(|family| start(family.name)).collect()
}

/// The games that allow a position.
fn boards(catalog: &Catalog, given: Option<&str>, record: &Transcript) -> Result<Vec<Candidate>, TextError> {
    let mut found: Vec<Candidate> = Vec::new();
    let mut refused: Option<(String, TextError)> = None;
    let mut n_refused = 0;
    for board in &record.boards {
        let specs: Vec<String> = match given {
            Some(given) => vec![given.to_owned()],
            None => catalog.families().iter().map(|family| family.spec(&board.options)).collect(),
        };
        for spec in specs {
            let Ok(game) = catalog.game(&spec) else { continue };
            for position in board.positions() {
                match game.open(Opening::Position(&position)) {
                    Ok(session) => found.push(Candidate { spec: session.spec(), position: Some(position), session }),
                    Err(err) if refused.as_ref().is_none_or(|(other, _)| *other != spec) => {
                        (refused, n_refused) = (Some((spec.clone(), err)), n_refused + 1);
                    }
                    Err(_) => {}
                }
            }
        }
    }
    let line = record.boards[0].line;
    let sides = |other: &Candidate| other.spec == found[0].spec && other.position != found[0].position;
    if found.len() == 2 && sides(&found[1]) {
        let expected = "expected the side to move, which the board does not show";
        return Err(at(
            line,
            "",
            TextError::new("position", expected, "write it after the board, as in `black to move`"),
        ));
    }
    match (found.is_empty(), refused) {
        (false, _) => Ok(found),
        (true, Some((_, err))) if n_refused == 1 => Err(at(line, "", err)),
        (true, _) => {
            let expected = "expected a position that the rules of a game on a board of this size allow";
            let found = format!("position on {}", record.boards[0].options);
            Err(at(line, "", TextError::new(found, expected, "name the game to see what is wrong")))
        }
    }
}

/// The candidate in which most moves are legal, or of several the one that writes its moves as the record does.
fn best(found: Vec<Candidate>, record: &Transcript) -> Result<(String, Option<String>), TextError> {
    let n_steps = record.steps.len();
    let rank = |candidate: &mut Candidate| {
        let n = record.replay(&mut candidate.session).0.len();
        (n, n == n_steps && is_own_notation(&candidate.session.history(), &record.steps))
    };
    let mut ranked: Vec<((usize, bool), Candidate)> =
        found.into_iter().map(|mut candidate| (rank(&mut candidate), candidate)).collect();
    let most = ranked.iter().map(|(rank, _)| *rank).max().unwrap_or_default();
    ranked.retain(|(rank, _)| *rank == most);
    let first = record.steps.first();
    if let Some(first) = first.filter(|_| most.0 == 0) {
        let expected = "expected a move with which a game begins, a position, a link, or another record of a game";
        let err = TextError::new(format!("{:?}", first.mv), expected, "name the game to see what is wrong");
        return Err(at(first.place, "", err));
    }
    if most.0 == n_steps && ranked.len() > 1 {
        let names: Vec<&str> = ranked.iter().map(|(_, candidate)| candidate.spec.as_str()).collect();
        let expected = format!("expected moves or a position of one game, and they fit {}", names.join(" and "));
        let place = first.map_or(Place::Line(record.boards.first().map_or(1, |board| board.line)), |step| step.place);
        return Err(at(place, "", TextError::new("record", expected, "name the game")));
    }
    let (_, Candidate { spec, position, .. }) = ranked.swap_remove(0);
    Ok((spec, position))
}

/// Whether a game prints these moves as they are written. Digits without blanks are one step.
fn is_own_notation(history: &[String], steps: &[Step]) -> bool {
    let is_one = steps.len() == 1 && history.concat() == steps[0].mv;
    let written = history.iter().filter(|mv| *mv != "pass");
    let steps = steps.iter().filter(|step| step.mv != "pass");
    is_one || written.map(|mv| mv.to_ascii_lowercase()).eq(steps.map(|step| step.mv.to_ascii_lowercase()))
}
