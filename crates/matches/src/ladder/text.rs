//! Ladder report text in English and Chinese.

use banyan_catalog::strength::signed;

use super::result::LadderResult;

/// The language of a ladder.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Language {
    /// English.
    #[default]
    English,
    /// Simplified Chinese.
    Chinese,
}

impl Language {
    /// The headings of the table.
    pub fn headings(self) -> [&'static str; 7] {
        match self {
            Language::English => ["opponent", ">Elo", ">won-drawn-lost", ">score %", ">expected %", ">points", "score"],
            Language::Chinese => ["对手", ">Elo", ">胜-平-负", ">得分率 %", ">预期 %", ">积分", "得分"],
        }
    }

    /// The title.
    pub fn title(self, result: &LadderResult) -> String {
        match self {
            Language::English => format!("{} on the ladder of {}", result.player, result.game),
            Language::Chinese => format!("{} 的天梯成绩（{}）", result.player, result.game),
        }
    }

    /// The sentences below the table.
    pub fn notes(self, result: &LadderResult) -> Vec<String> {
        let [points, of] = result.points;
        let share = if of == 0 { 0.0 } else { 100.0 * points as f64 / of as f64 };
        let elo = result.rating[1].map(|_| signed(result.rating));
        let range = self.range(result);
        let (place, total, rating) = match self {
            Language::English => (
                match (result.above, result.below) {
                    (Some(above), Some(below)) => {
                        format!("You stand between level {above} and level {below} ({range}).")
                    }
                    (None, Some(below)) => format!("You stand below level {below} ({range})."),
                    (Some(above), None) => format!("You stand above level {above}, the last one ({range})."),
                    (None, None) => "No games yet.".to_owned(),
                },
                format!("Points (win 2, draw 1, loss 0): {points} of {of}, {share:.1} %."),
                elo.map(|elo| format!("Rating: {elo} Elo; random is 0.")),
            ),
            Language::Chinese => (
                match (result.above, result.below) {
                    (Some(above), Some(below)) => format!("你的水平在第 {above} 级和第 {below} 级之间（{range}）。"),
                    (None, Some(below)) => format!("你的水平低于第 {below} 级（{range}）。"),
                    (Some(above), None) => format!("你的水平高于最高级，即第 {above} 级（{range}）。"),
                    (None, None) => "还没有对局。".to_owned(),
                },
                format!("积分（胜 2 平 1 负 0）：{points} / {of}，{share:.1} %。"),
                elo.map(|elo| format!("等级分：{elo} Elo（随机走子为 0）。")),
            ),
        };
        [Some(place), rating, Some(total)].into_iter().flatten().collect()
    }

    /// The levels that the interval of the rating allows.
    fn range(self, result: &LadderResult) -> String {
        match (self, result.certain_neighbours()) {
            (Language::English, [Some(above), Some(below)]) => format!("95 %: {above} to {below}"),
            (Language::English, [None, Some(below)]) => format!("95 %: below {below}"),
            (Language::English, [Some(above), None]) => format!("95 %: above {above}"),
            (Language::English, [None, None]) => "95 %: any level".to_owned(),
            (Language::Chinese, [Some(above), Some(below)]) => format!("95 %：第 {above} 级至第 {below} 级"),
            (Language::Chinese, [None, Some(below)]) => format!("95 %：低于第 {below} 级"),
            (Language::Chinese, [Some(above), None]) => format!("95 %：高于第 {above} 级"),
            (Language::Chinese, [None, None]) => "95 %：任何级别".to_owned(),
        }
    }

    /// The tag of the language in HTML.
    pub fn tag(self) -> &'static str {
        match self {
            Language::English => "en",
            Language::Chinese => "zh",
        }
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
        assert_eq!(Language::English.notes(result)[0], english);
        assert_eq!(Language::Chinese.notes(result)[0], chinese);
    }

    #[test]
    fn the_place_has_the_levels_that_its_interval_allows() {
        check(
            &result(Some(6), Some(7), [5, 7]),
            "You stand between level 6 and level 7 (95 %: 5 to 8).",
            "你的水平在第 6 级和第 7 级之间（95 %：第 5 级至第 8 级）。",
        );
        check(
            &result(None, Some(1), [0, 2]),
            "You stand below level 1 (95 %: below 3).",
            "你的水平低于第 1 级（95 %：低于第 3 级）。",
        );
        check(
            &result(Some(10), None, [8, 10]),
            "You stand above level 10, the last one (95 %: above 8).",
            "你的水平高于最高级，即第 10 级（95 %：高于第 8 级）。",
        );
        check(
            &result(Some(5), Some(6), [0, 10]),
            "You stand between level 5 and level 6 (95 %: any level).",
            "你的水平在第 5 级和第 6 级之间（95 %：任何级别）。",
        );
    }
}
