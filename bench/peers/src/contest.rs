//! All searches on one game, run in turn so that a busy or throttled machine affects all of them equally.

use banyan_core::Notation;

use crate::peer::Peer;

/// The searches compared on one game.
pub struct Contest<G: 'static> {
    /// The rules that all of them use.
    pub game: &'static G,
    peers: Vec<Peer>,
}

/// The result of one search.
pub struct Row {
    /// The game in Banyan's notation.
    pub game: String,
    name: &'static str,
    simulations: u64,
    /// Simulations per CPU second, ascending.
    rates: Vec<f64>,
}

impl<G: Notation> Contest<G> {
    /// A contest without searches.
    pub fn new(game: &'static G) -> Contest<G> {
        Contest { game, peers: Vec::new() }
    }

    /// Adds a search; the others are compared with the first one.
    pub fn add(&mut self, peer: Peer) {
        self.peers.push(peer);
    }

    /// Runs A B C, A B C … and returns one row each, after a first round that only warms up.
    pub fn run(&self, repetitions: u32) -> Vec<Row> {
        let mut rows: Vec<Row> = self.peers.iter().map(|peer| Row::new(self.game.spec(), peer)).collect();
        for repetition in 0..=repetitions {
            for (peer, row) in self.peers.iter().zip(&mut rows) {
                let rate = peer.rate(u64::from(repetition));
                if repetition > 0 {
                    row.rates.push(rate);
                }
            }
        }
        for row in &mut rows {
            row.rates.sort_by(f64::total_cmp);
        }
        rows
    }
}

impl Row {
    fn new(game: String, peer: &Peer) -> Row {
        Row { game, name: peer.name, simulations: peer.simulations, rates: Vec::new() }
    }

    fn median(&self) -> f64 {
        let middle = self.rates.len() / 2;
        if self.rates.len() % 2 == 1 { self.rates[middle] } else { (self.rates[middle - 1] + self.rates[middle]) / 2.0 }
    }

    fn lowest(&self) -> f64 {
        self.rates[0]
    }

    fn highest(&self) -> f64 {
        self.rates[self.rates.len() - 1]
    }

    /// The heading above the lines of the table.
    pub fn heading(&self) -> String {
        let columns = format!("{:>10} {:>10}  {:<14} {:>9}", "sims", "k sims/s", "(range)", "banyan is");
        format!("{:<28}{columns}", self.game)
    }

    /// A line of the table; the last column is the speed of `first` relative to this search.
    pub fn line(&self, first: &Row) -> String {
        let thousand = |rate: f64| rate / 1000.0;
        let (median, times) = (thousand(self.median()), first.median() / self.median());
        let range = format!("{:.0}..{:.0}", thousand(self.lowest()), thousand(self.highest()));
        format!("  {:<26}{:>10} {median:>10.0}  {range:<14} {times:>6.2} x", self.name, self.simulations)
    }

    /// The row as one JSON object; `isa` names the instruction set in use.
    pub fn json(&self, isa: &str) -> String {
        format!(
            r#"{{"v":1,"game":"{}","search":"{}","simulations":{},"rate":{:.0},"lowest":{:.0},"highest":{:.0},"unit":"simulations per CPU second","repetitions":{},"isa":"{isa}"}}"#,
            self.game,
            self.name,
            self.simulations,
            self.median(),
            self.lowest(),
            self.highest(),
            self.rates.len(),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(rates: &[f64]) -> Row {
        Row { game: "g".to_owned(), name: "n", simulations: 10, rates: rates.to_vec() }
    }

    #[test]
    fn the_ratio_is_that_of_the_medians() {
        assert_eq!(row(&[1.0, 2.0, 9.0]).median(), 2.0);
        assert_eq!(row(&[1.0, 2.0, 4.0, 9.0]).median(), 3.0);
        let line = row(&[1000.0, 2000.0, 9000.0]).line(&row(&[5000.0]));
        assert!(line.contains(" 2  1..9 ") && line.ends_with(" 2.50 x"), "{line}");
    }
}
