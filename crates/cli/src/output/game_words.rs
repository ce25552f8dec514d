//! Facts about a game for its user at the terminal: its rules in two lines, and the unit of its results.

use banyan_catalog::Session;
use banyan_catalog::view::Proof;
use banyan_core::Margin;
use banyan_texts::Language;

/// The rules for a human player; `None` for a game without a text.
pub(crate) fn rules(language: Language, session: &Session) -> Option<String> {
    let spec = session.spec();
    let name = spec.split(':').next().unwrap_or_default();
    Some(language.of_data(&format!("rules.{name}"), session.tables().rules)).filter(|rules| !rules.is_empty())
}

/// The margin of a win as text: `by 3 points`, `with 2 stones to spare`.
pub(crate) fn by_how_much(language: Language, session: &Session, margin: Margin) -> String {
    let points = margin.0.unsigned_abs();
    let said = |key, n: u16| language.say(key, &[("n", &n), ("things", &things(language, session, n))]);
    match points {
        0 | 1 if session.tables().unit.to_spare => {
            language.say("margin.none-to-spare", &[("thing", &things(language, session, 1))])
        }
        _ if session.tables().unit.to_spare => said("margin.to-spare", points - 1),
        _ => said("margin.by", points),
    }
}

/// The unit of points, for this number of them.
pub(crate) fn things(language: Language, session: &Session, n: u16) -> String {
    let unit = session.tables().unit;
    let word = if n == 1 { unit.one } else { unit.many };
    language.of_data(&format!("unit.{word}"), word)
}

/// A proof in a few words: `win +3`, or where points are what the winner has to spare, `win in 5`, the moves of the winner until the end.
pub(crate) fn proof(session: &Session, proof: Proof, ends_in: Option<u16>) -> String {
    match (session.tables().unit.to_spare, proof.outcome(), ends_in) {
        (true, Some(1), Some(moves)) => format!("win in {moves}"),
        (true, Some(-1), Some(moves)) => format!("loss in {moves}"),
        (true, Some(1), None) => "win".to_owned(),
        (true, Some(-1), None) => "loss".to_owned(),
        (true, None, _) if proof.lower == 0 => "no loss".to_owned(),
        (true, None, _) if proof.upper == 0 => "no win".to_owned(),
        (true, None, _) => String::new(),
        _ => proof.in_words(),
    }
}

/// The definition of a point, for a margin in points beside the text of [`by_how_much`].
pub(crate) fn point_note(session: &Session) -> String {
    let unit = session.tables().unit;
    if unit.to_spare { format!("; points are {} to spare + 1", unit.many) } else { String::new() }
}

#[cfg(test)]
mod tests {
    use banyan_catalog::Opening;

    use super::*;

    #[test]
    fn a_win_names_its_unit() {
        let session = |spec| crate::builtin().game(spec).expect("a game").open(Opening::Start).expect("a start");
        let words = |spec, margin| by_how_much(Language::En, &session(spec), Margin(margin));
        assert_eq!(words("connect-four", 18), "with 17 stones to spare");
        assert_eq!(words("connect-four:4x4", -2), "with 1 stone to spare");
        assert_eq!(words("connect-four", 1), "with no stone to spare");
        assert_eq!(words("reversi", -64), "by 64 discs");
        assert_eq!(words("dots-and-boxes:3x3", 1), "by 1 box");
        // The same words as those of the machine output.
        for spec in ["connect-four", "reversi", "dots-and-boxes:3x3"] {
            let session = session(spec);
            for margin in (-9..9).map(Margin).filter(|margin| margin.0 != 0) {
                let expected = session.tables().unit.by_how_much(margin);
                assert_eq!(by_how_much(Language::En, &session, margin), expected, "{spec} {margin:?}");
            }
        }
        let chinese = |spec, margin| by_how_much(Language::Zh, &session(spec), Margin(margin));
        assert_eq!(chinese("connect-four", 18), "剩余 17 子");
        assert_eq!(chinese("reversi", -64), "领先 64 子");
    }
}
