//! What a ladder says, in English or Chinese.

use super::LadderResult;
use crate::strength::signed;

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
        let (place, total, rating) = match self {
            Language::English => (
                match (result.above, result.below) {
                    (Some(above), Some(below)) => format!("You stand between level {above} and level {below}."),
                    (None, Some(below)) => format!("You stand below level {below}."),
                    (Some(above), None) => format!("You stand above level {above}, the last one."),
                    (None, None) => "No games yet.".to_owned(),
                },
                format!("Points (win 2, draw 1, loss 0): {points} of {of}, {share:.1} %."),
                elo.map(|elo| format!("Rating: {elo} Elo; random is 0.")),
            ),
            Language::Chinese => (
                match (result.above, result.below) {
                    (Some(above), Some(below)) => format!("你的水平在第 {above} 级和第 {below} 级之间。"),
                    (None, Some(below)) => format!("你的水平低于第 {below} 级。"),
                    (Some(above), None) => format!("你的水平高于最高级（第 {above} 级）。"),
                    (None, None) => "还没有对局。".to_owned(),
                },
                format!("积分（胜 2 平 1 负 0）：{points} / {of}，{share:.1} %。"),
                elo.map(|elo| format!("等级分：{elo} Elo（随机走子为 0）。")),
            ),
        };
        [Some(place), rating, Some(total)].into_iter().flatten().collect()
    }

    /// The tag of the language in HTML.
    pub fn tag(self) -> &'static str {
        match self {
            Language::English => "en",
            Language::Chinese => "zh",
        }
    }
}
