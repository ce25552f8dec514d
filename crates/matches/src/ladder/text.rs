//! The words of a ladder.

use banyan_catalog::strength::signed;
use banyan_texts::Language;

use super::result::LadderResult;

/// The headings of the table.
pub fn headings(language: Language) -> [String; 7] {
    let text = |key: &str| language.say(key, &[]);
    let number = |key: &str| format!(">{}", text(key));
    [
        text("ladder.opponent"),
        ">Elo".to_owned(),
        number("ladder.wdl"),
        number("ladder.score-percent"),
        number("ladder.expected"),
        number("ladder.points"),
        text("ladder.score"),
    ]
}

/// The title.
pub fn title(result: &LadderResult, language: Language) -> String {
    language.say("ladder.title", &[("player", &result.player), ("game", &result.game)])
}

/// The sentences below the table.
pub fn notes(result: &LadderResult, language: Language) -> Vec<String> {
    let [points, of] = result.points;
    let share = format!("{:.1}", if of == 0 { 0.0 } else { 100.0 * points as f64 / of as f64 });
    let range = range(result, language);
    let place = match (result.above, result.below) {
        (Some(above), Some(below)) => {
            language.say("ladder.between", &[("above", &above), ("below", &below), ("range", &range)])
        }
        (None, Some(below)) => language.say("ladder.below", &[("below", &below), ("range", &range)]),
        (Some(above), None) => language.say("ladder.above", &[("above", &above), ("range", &range)]),
        (None, None) => language.say("ladder.no-games", &[]),
    };
    let rating = result.rating[1].map(|_| language.say("ladder.rating", &[("elo", &signed(result.rating))]));
    let total = language.say("ladder.total", &[("points", &points), ("of", &of), ("share", &share)]);
    [Some(place), rating, Some(total)].into_iter().flatten().collect()
}

/// The levels that the interval of the rating allows.
fn range(result: &LadderResult, language: Language) -> String {
    match result.certain_neighbours() {
        [Some(above), Some(below)] => language.say("ladder.range", &[("above", &above), ("below", &below)]),
        [None, Some(below)] => language.say("ladder.range-below", &[("below", &below)]),
        [Some(above), None] => language.say("ladder.range-above", &[("above", &above)]),
        [None, None] => language.say("ladder.range-any", &[]),
    }
}

#[cfg(test)]
mod tests {
    use super::super::Rung;
    use super::*;

    /// A result on a ladder of ten levels: the levels next to it, and those passed by the ends of its interval.
    fn result(above: Option<usize>, below: Option<usize>, passed: [usize; 2]) -> LadderResult {
        let rung = |level: usize| Rung {
            name: format!("level-{level}"),
            level: Some(level),
            elo: Some(100 * level as i32),
            wdl: [1, 0, 1],
            score: [None; 3],
            expected: None,
            points: 2,
        };
        LadderResult {
            v: 1,
            game: "connect-four".to_owned(),
            player: "uct".to_owned(),
            games: 20,
            rating: [Some(500.0), Some(650.0), Some(800.0)],
            above,
            below,
            passed: Some(passed),
            points: [20, 40],
            rungs: (1..=10).map(rung).collect(),
        }
    }

    fn check(result: &LadderResult, english: &str, chinese: &str) {
        assert_eq!(notes(result, Language::En)[0], english);
        assert_eq!(notes(result, Language::Zh)[0], chinese);
    }

    #[test]
    fn the_place_has_the_levels_that_its_interval_allows() {
        check(
            &result(Some(6), Some(7), [5, 7]),
            "You stand between level 6 and level 7 (95 %: 5 to 8).",
            "水平在第 6 级和第 7 级之间（95 %：第 5 级至第 8 级）。",
        );
        check(
            &result(None, Some(1), [0, 2]),
            "You stand below level 1 (95 %: below 3).",
            "水平低于第 1 级（95 %：低于第 3 级）。",
        );
        check(
            &result(Some(10), None, [8, 10]),
            "You stand above level 10, the last one (95 %: above 8).",
            "水平高于最高级，即第 10 级（95 %：高于第 8 级）。",
        );
        check(
            &result(Some(5), Some(6), [0, 10]),
            "You stand between level 5 and level 6 (95 %: any level).",
            "水平在第 5 级和第 6 级之间（95 %：任何级别）。",
        );
    }
}
