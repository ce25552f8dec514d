//! The `info` line: progress and result of a search.

use std::fmt;

use banyan_catalog::view::Proof;

/// The fields of an `info` line; missing ones are `None`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Info {
    /// Milliseconds.
    pub time: Option<u64>,
    /// Nodes.
    pub nodes: Option<u64>,
    /// Playouts, an extension of Banyan.
    pub playouts: Option<u64>,
    /// Rank of the line, 1 for the best.
    pub multipv: Option<u64>,
    /// Visits of the line's first move, an extension of Banyan.
    pub visits: Option<u64>,
    /// Expected score of the side to move, 0 .. 1, an extension of Banyan: `score winrate 0.54`.
    pub win_rate: Option<f64>,
    /// Proven bounds of the final margin for the side to move, an extension of Banyan: `proven 1 18`.
    pub proof: Option<Proof>,
    /// The principal variation.
    pub pv: Vec<String>,
}

/// Keywords of the line; the moves of a `pv` end before the next one.
const KEYS: [&str; 13] = [
    "depth", "seldepth", "time", "nodes", "playouts", "hashfull", "nps", "multipv", "score", "visits", "proven", "pv",
    "string",
];

impl Info {
    /// Parses a line without the word `info`; invalid parts are ignored.
    pub fn read(line: &str) -> Info {
        let mut info = Info::default();
        let mut words = line.split_whitespace().peekable();
        while let Some(word) = words.next() {
            match word {
                "time" => info.time = read_next(&mut words),
                "nodes" => info.nodes = read_next(&mut words),
                "playouts" => info.playouts = read_next(&mut words),
                "multipv" => info.multipv = read_next(&mut words),
                "visits" => info.visits = read_next(&mut words),
                "score" if words.next_if_eq(&"winrate").is_some() => {
                    info.win_rate = read_next(&mut words).filter(|rate| (0.0..=1.0).contains(rate));
                }
                "proven" => {
                    let bounds = read_next(&mut words).zip(read_next(&mut words));
                    let bounds = bounds.filter(|(lower, upper)| lower <= upper);
                    info.proof = bounds.map(|(lower, upper)| Proof { lower, upper });
                }
                "pv" => {
                    while let Some(mv) = words.next_if(|word| !KEYS.contains(word)) {
                        info.pv.push(mv.to_owned());
                    }
                }
                // Free text up to the end of the line.
                "string" => break,
                _ => {}
            }
        }
        info
    }
}

fn read_next<'a, T: std::str::FromStr>(words: &mut impl Iterator<Item = &'a str>) -> Option<T> {
    words.next()?.parse().ok()
}

impl fmt::Display for Info {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("info")?;
        let nps = self.nodes.zip(self.time).map(|(nodes, time)| nodes * 1000 / time.max(1));
        let numbers = [
            ("time", self.time),
            ("nodes", self.nodes),
            ("nps", nps),
            ("playouts", self.playouts),
            ("multipv", self.multipv),
            ("visits", self.visits),
        ];
        for (key, number) in numbers {
            if let Some(number) = number {
                write!(f, " {key} {number}")?;
            }
        }
        if let Some(rate) = self.win_rate {
            write!(f, " score winrate {rate:.4}")?;
        }
        if let Some(Proof { lower, upper }) = self.proof {
            write!(f, " proven {lower} {upper}")?;
        }
        if !self.pv.is_empty() {
            write!(f, " pv {}", self.pv.join(" "))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_again() {
        let info = Info {
            time: Some(250),
            nodes: Some(1000),
            playouts: Some(2000),
            multipv: Some(1),
            visits: Some(77),
            win_rate: Some(0.25),
            proof: Some(Proof { lower: -3, upper: 18 }),
            pv: vec!["4".into(), "h2,3".into()],
        };
        let text = "info time 250 nodes 1000 nps 4000 playouts 2000 multipv 1 visits 77 score winrate 0.2500 \
                    proven -3 18 pv 4 h2,3";
        assert_eq!(info.to_string(), text);
        assert_eq!(Info::read(text.strip_prefix("info").expect("it begins so")), info);
        assert_eq!(Info::default().to_string(), "info");
    }

    #[test]
    fn what_other_engines_say_is_passed_over() {
        let read = Info::read(" depth 3 seldepth 9 score cp 35 lowerbound nodes x time 5 pv f5 d6 nps 7 string pv a1");
        let expected = Info { time: Some(5), pv: vec!["f5".into(), "d6".into()], ..Info::default() };
        assert_eq!(read, expected);
        for text in ["score winrate nan", "score winrate 7", "proven 3 1", "proven 3", "nodes -1", "pv", "score", ""] {
            assert_eq!(Info::read(text), Info::default(), "{text}");
        }
    }
    #[test]
    fn no_line_makes_it_panic() {
        let mut rng = banyan_core::Rng::new(1);
        let words =
            ["time", "proven", "-1", "32768", "score", "winrate", "NaN", "pv", "string", "\u{e9}", "1e9", "visits"];
        for _ in 0..100_000 {
            let n_words = rng.below(8);
            let line: Vec<&str> = (0..n_words).map(|_| words[rng.below(words.len() as u32) as usize]).collect();
            let info = Info::read(&line.join(" "));
            assert!(info.proof.is_none_or(|proof| proof.lower <= proof.upper) && info.pv.len() < 8);
        }
    }
}
