//! Texts about a game for a person: its result, who is ahead, and what a mistake lost.

use banyan_catalog::Session;
use banyan_catalog::view::{Analysis, Proof};
use banyan_core::{Margin, Side};
use banyan_review::{ReviewUnit, ReviewedMove, Valuation};
use banyan_texts::Language;

use crate::output::{board, game_words};

/// Expected margins that are called even: below half a point.
const EVEN_POINTS: f64 = 0.5;
/// Chances, in percent, that are called even: at most this far from 50.
const EVEN_PERCENT: f64 = 3.0;

/// The result of a finished game; `you` is the side of the only person, `resigned` the side that gave up.
pub(crate) fn outcome(language: Language, session: &Session, you: Option<Side>, resigned: Option<Side>) -> String {
    if let Some(side) = resigned {
        let (side_name, winner) = (language.side(session.side_name(side)), language.side(session.side_name(!side)));
        return match you {
            Some(you) if you == side => language.say("terminal.you-resign", &[("winner", &winner)]),
            _ => language.say("terminal.resigns", &[("side", &side_name), ("winner", &winner)]),
        };
    }
    let Some((margin, winner)) = session.result().and_then(|margin| Some((margin, margin.winner()?))) else {
        return language.say("terminal.draw", &[]);
    };
    let won = won(language, session, margin, winner, you);
    match beyond_points(session, margin) {
        0 => won,
        n => {
            let side = if you == Some(winner) {
                language.say("terminal.you", &[])
            } else {
                language.side(session.side_name(winner))
            };
            language.say("terminal.empties", &[("n", &n), ("side", &side), ("outcome", &won)])
        }
    }
}

/// The points by which a result exceeds the difference of those on the board: empty squares that count for the winner.
fn beyond_points(session: &Session, margin: Margin) -> u32 {
    let points = session.points().filter(|_| !session.tables().unit.to_spare);
    points.map_or(0, |[first, second]| u32::from(margin.0.unsigned_abs()).saturating_sub(first.abs_diff(second)))
}

fn won(language: Language, session: &Session, margin: Margin, winner: Side, you: Option<Side>) -> String {
    match (you == Some(winner), how(language, session, margin)) {
        (true, Some(how)) => language.say("terminal.you-win-by", &[("how", &how)]),
        (true, None) => language.say("terminal.you-win", &[]),
        (false, Some(how)) => {
            language.say("terminal.wins-by", &[("side", &language.side(session.side_name(winner))), ("how", &how)])
        }
        (false, None) => language.say("terminal.wins", &[("side", &language.side(session.side_name(winner)))]),
    }
}

/// The margin of a win in words; `None` in games whose players only know who wins.
fn how(language: Language, session: &Session, margin: Margin) -> Option<String> {
    (!session.tables().unit.to_spare).then(|| game_words::by_how_much(language, session, margin))
}

/// A side with its mark on the board, if that is not its name; the only person is `you`.
pub(crate) fn marked(language: Language, session: &Session, side: Side, you: Option<Side>, ascii: bool) -> String {
    let (name, mark) = (language.side(session.side_name(side)), board::mark(side, ascii));
    let name = if you == Some(side) { language.say("terminal.you", &[]) } else { name };
    if name == mark { name } else { language.say("terminal.marked", &[("name", &name), ("mark", &mark)]) }
}

/// The points of both sides so far; `None` in games without points.
pub(crate) fn score(language: Language, session: &Session, you: Option<Side>, ascii: bool) -> Option<String> {
    let points = session.points()?;
    let of = |side: Side| {
        let marked = marked(language, session, side, you, ascii);
        language.say("terminal.side-points", &[("side", &marked), ("n", &points[side.index()])])
    };
    let [first, second] = Side::BOTH.map(of);
    Some(language.say("terminal.score", &[("first", &first), ("second", &second)]))
}

/// The side that is ahead in the position of an analysis, in words.
pub(crate) fn standing(language: Language, session: &Session, analysis: &Analysis, you: Option<Side>) -> String {
    let to_move = session.to_move();
    match (analysis.proof.and_then(Proof::outcome), analysis.proof, analysis.margin) {
        (Some(0), ..) => language.say("terminal.draw-best", &[]),
        (Some(sign), Some(proof), _) => {
            let winner = if sign > 0 { to_move } else { !to_move };
            let points = if sign > 0 { proof.lower } else { proof.upper };
            let is_exact = proof.lower == proof.upper;
            by_winner(language, session, winner, you, how(language, session, Margin(points)).filter(|_| is_exact))
        }
        (_, _, Some(margin)) if margin.abs() < EVEN_POINTS => language.say("terminal.even", &[]),
        (_, _, Some(margin)) => {
            forecast(language, session, if margin > 0.0 { to_move } else { !to_move }, you, margin.abs())
        }
        _ => chances(language, session, to_move, you, analysis.win_percent()),
    }
}

fn by_winner(language: Language, session: &Session, winner: Side, you: Option<Side>, how: Option<String>) -> String {
    let side = language.side(session.side_name(winner));
    match (you == Some(winner), how) {
        (true, Some(how)) => language.say("terminal.you-win-best-by", &[("how", &how)]),
        (true, None) => language.say("terminal.you-win-best", &[]),
        (false, Some(how)) => language.say("terminal.wins-best-by", &[("side", &side), ("how", &how)]),
        (false, None) => language.say("terminal.wins-best", &[("side", &side)]),
    }
}

fn forecast(language: Language, session: &Session, leader: Side, you: Option<Side>, margin: f64) -> String {
    let points = things(language, session, margin);
    match you == Some(leader) {
        true => language.say("terminal.you-forecast", &[("points", &points)]),
        false => language
            .say("terminal.forecast", &[("side", &language.side(session.side_name(leader))), ("points", &points)]),
    }
}

fn chances(language: Language, session: &Session, to_move: Side, you: Option<Side>, percent: f64) -> String {
    if (percent - 50.0).abs() <= EVEN_PERCENT {
        return language.say("terminal.even", &[]);
    }
    let (leader, percent) = if percent > 50.0 { (to_move, percent) } else { (!to_move, 100.0 - percent) };
    let percent = format!("{percent:.0}");
    match you == Some(leader) {
        true => language.say("terminal.you-likely", &[("percent", &percent)]),
        false => language
            .say("terminal.likely", &[("side", &language.side(session.side_name(leader))), ("percent", &percent)]),
    }
}

/// A number of points with the unit of the game, at least one: `3 discs`.
fn things(language: Language, session: &Session, margin: f64) -> String {
    let points = margin.round().max(1.0);
    let things = game_words::things(language, session, if points < 1.5 { 1 } else { 2 });
    language.say("terminal.things", &[("n", &points), ("things", &things)])
}

/// A side of a game in which colours are shown, with its mark and the colour of it.
pub(crate) fn marked_in_colour(language: Language, session: &Session, side: Side, ascii: bool) -> String {
    let (name, mark) = (language.side(session.side_name(side)), board::mark(side, ascii));
    let colour = match side {
        Side::First => language.say("terminal.first-colour", &[]),
        Side::Second => language.say("terminal.second-colour", &[]),
    };
    match name == mark {
        true => language.say("terminal.marked", &[("name", &name), ("mark", &colour)]),
        false => language.say("terminal.marked-in-colour", &[("name", &name), ("mark", &mark), ("colour", &colour)]),
    }
}

/// The loss of a move that loses nothing too.
pub(crate) fn loss_or_none(language: Language, session: &Session, mv: &ReviewedMove, unit: ReviewUnit) -> String {
    let is_shown = mv.loss_percent >= EVEN_POINTS || (unit == ReviewUnit::Points && mv.loss >= EVEN_POINTS);
    match (is_shown, mv.exact) {
        (true, _) => loss(language, session, mv, unit),
        (false, true) => language.say("review.fine-exactly", &[]),
        (false, false) => language.say("review.fine", &[]),
    }
}

/// The loss of a mistake: `loses about 5 discs`, `turns a win into a loss`, `lowers the chances from 62 % to 40 %`.
pub(crate) fn loss(language: Language, session: &Session, mv: &ReviewedMove, unit: ReviewUnit) -> String {
    let outcomes = (mv.before.proof.and_then(Proof::outcome), mv.after.proof.and_then(Proof::outcome));
    let turn = match outcomes {
        (Some(before), Some(after)) if after < before => {
            let [before, after] = [before, after].map(|sign| outcome_word(language, sign));
            Some(language.say("terminal.turns", &[("before", &before), ("after", &after)]))
        }
        _ => None,
    };
    let points = (unit == ReviewUnit::Points).then(|| {
        let points = mv.loss.round().max(1.0);
        let unit = game_words::things(language, session, if points < 1.5 { 1 } else { 2 });
        let params: [(&str, &dyn std::fmt::Display); 2] = [("loss", &points), ("unit", &unit)];
        if mv.exact { language.say("review.loses-exactly", &params) } else { language.say("review.loses", &params) }
    });
    match (points, turn) {
        (Some(points), Some(turn)) => [points, turn].join(&language.say("join.sentences", &[])),
        (Some(text), None) | (None, Some(text)) => text,
        (None, None) => {
            let [from, to] = [&mv.before, &mv.after].map(|value| format!("{:.0}", percent_of(value)));
            language.say("terminal.lowers", &[("from", &from), ("to", &to)])
        }
    }
}

fn percent_of(valuation: &Valuation) -> f64 {
    50.0 * (valuation.value + 1.0)
}

fn outcome_word(language: Language, sign: i16) -> String {
    match sign {
        1 => language.say("terminal.a-win", &[]),
        0 => language.say("terminal.a-draw", &[]),
        _ => language.say("terminal.a-loss", &[]),
    }
}

#[cfg(test)]
mod tests {
    use banyan_catalog::Opening;
    use banyan_core::Silent;

    use super::*;

    /// An analysis of the start of a game, with black or X to move.
    fn analysed(spec: &str, value: f64, margin: Option<f64>, proof: Option<(i16, i16)>) -> (Session, Analysis) {
        let game = crate::builtin().game(spec).expect("a game");
        let mut session = game.open(Opening::Start).expect("a start");
        let seat = session.seat(&"random".parse().expect("a player"), 1).expect("a player of every game");
        let limits = banyan_core::Limits { playouts: Some(1), ..Default::default() };
        let analysis = session.choose(seat, &limits, &mut Silent).expect("a move");
        let proof = proof.map(|(lower, upper)| Proof { lower, upper });
        (session, Analysis { value, margin, proof, ..analysis })
    }

    #[test]
    fn a_search_is_put_into_words_that_a_player_knows() {
        for (spec, value, margin, proof, you, expected) in [
            ("reversi", 0.1, Some(3.2), None, None, "black should win by about 3 discs"),
            ("reversi", 0.1, Some(0.6), None, Some(Side::First), "you should win by about 1 disc"),
            ("reversi", -0.1, Some(-2.5), None, Some(Side::First), "white should win by about 3 discs"),
            ("reversi", -0.1, Some(-0.4), None, None, "the game is about even"),
            ("connect-four", 0.24, None, None, None, "X is more likely to win: 62 %"),
            ("connect-four", -0.24, None, None, Some(Side::Second), "you are more likely to win: 62 %"),
            ("connect-four", 0.04, None, None, None, "the game is about even"),
            ("connect-four", 1.0, None, Some((3, 3)), None, "X wins if both sides play best"),
            ("connect-four", -1.0, None, Some((-9, -2)), Some(Side::Second), "you win if both sides play best"),
            (
                "dots-and-boxes",
                1.0,
                Some(9.0),
                Some((9, 9)),
                Some(Side::First),
                "you win by 9 boxes if both sides play best",
            ),
            ("dots-and-boxes", 0.0, Some(0.0), Some((0, 0)), None, "it is a draw if both sides play best"),
        ] {
            let (session, analysis) = analysed(spec, value, margin, proof);
            assert_eq!(standing(Language::En, &session, &analysis, you), expected);
        }
    }

    #[test]
    fn a_result_agrees_with_the_score() {
        let all_black = "xxx1/xxxx/xxxx/xxx1 x";
        for (spec, position, you, expected) in [
            (
                "reversi:4x4",
                all_black,
                Some(Side::First),
                "neither side can move; the 2 empty squares count for you: you win by 16 discs",
            ),
            (
                "reversi:4x4",
                "xxxx/xxxx/xxxx/xxx1 x",
                Some(Side::Second),
                "neither side can move; the empty square counts for black: black wins by 16 discs",
            ),
            ("reversi:4x4,count=discs", all_black, None, "black wins by 14 discs"),
            ("reversi:4x4", "xxxx/xxxx/xxxx/xxxo x", None, "black wins by 14 discs"),
        ] {
            let game = crate::builtin().game(spec).expect("a game");
            let session = game.open(Opening::Position(position)).expect("a position");
            assert_eq!(outcome(Language::En, &session, you, None), expected, "{spec} {position}");
        }
    }

    #[test]
    fn a_loss_is_put_into_words_that_a_player_knows() {
        let (session, analysis) = analysed("reversi", 0.0, None, None);
        let valuation = |value, proof: Option<(i16, i16)>| Valuation {
            value,
            margin: None,
            proof: proof.map(|(lower, upper)| Proof { lower, upper }),
        };
        for (unit, lost, exact, before, after, expected) in [
            (ReviewUnit::Points, 4.6, false, (0.5, None), (0.1, None), "loses about 5 discs"),
            (ReviewUnit::Points, 1.0, true, (1.0, Some((3, 3))), (1.0, Some((2, 2))), "loses 1 disc, proven"),
            (
                ReviewUnit::Points,
                6.0,
                true,
                (1.0, Some((2, 2))),
                (-1.0, Some((-4, -4))),
                "loses 6 discs, proven; turns a win into a loss",
            ),
            (ReviewUnit::Percent, 50.0, true, (1.0, Some((1, 9))), (0.0, Some((0, 0))), "turns a win into a draw"),
            (ReviewUnit::Percent, 22.0, false, (0.24, None), (-0.2, None), "lowers the chances from 62 % to 40 %"),
        ] {
            let mv = ReviewedMove {
                ply: 1,
                position: session.position(),
                to_move: analysis.to_move.clone(),
                mv: "d3".to_owned(),
                choices: 4,
                before: valuation(before.0, before.1),
                after: valuation(after.0, after.1),
                loss: lost,
                exact,
                mark: None,
                best: "c4".to_owned(),
                loss_percent: 0.0,
                reasons: Vec::new(),
                pv: Vec::new(),
            };
            assert_eq!(loss(Language::En, &session, &mv, unit), expected);
        }
    }
}
