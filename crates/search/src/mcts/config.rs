//! What a Monte Carlo search is composed from, and its text.

use banyan_core::TextError;

use super::choices::{
    EarlyStop, Evaluation, ExpansionOrder, ExpansionWidth, FinalMove, ForcedMoves, LeafValue, Proof, Reuse, Reward,
    Scale, Selection, StartValue, Structure, TieBreak,
};
use super::schedule::Schedule;
use crate::budget::EarlyEnd;
use crate::tunables::{Range, TUNABLES, Tunable, no_row};

/// Everything that can be set on the search; each field is a row of [`TUNABLES`].
#[derive(Clone, Debug, PartialEq)]
pub struct Config {
    /// Tree or graph.
    pub structure: Structure,
    /// The formula that chooses among the children.
    pub selection: Selection,
    /// Exploration weight, on the scale of the reward.
    pub c: f32,
    /// Exploration weight by the stage of the game, in place of `c`.
    pub schedule: Schedule,
    /// What the exploration weight is multiplied by.
    pub scale: Scale,
    /// First-play urgency: an untried child counts as worse than its parent's mean by this, on the scale of the reward.
    /// Without it, every child is tried before any is tried again.
    pub urgency: Option<f32>,
    /// What selection sees of a child that has no node yet.
    pub leaf_value: LeafValue,
    /// What a finished game is worth.
    pub reward: Reward,
    /// Children tried when a node is expanded.
    pub expand: ExpansionWidth,
    /// Where a new node's own value comes from.
    pub start: StartValue,
    /// Which untried child comes next.
    pub order: ExpansionOrder,
    /// Visits of a leaf before it gets children, at least 1.
    pub after: u32,
    /// When the game's tactics restrict the moves.
    pub forced: ForcedMoves,
    /// How a leaf is valued.
    pub evaluation: Evaluation,
    /// Plies after which a playout ends and the margin as the board stands counts; 0 for never.
    pub cut: u32,
    /// Plies below the root at which a position gets no children; 0 for no such depth.
    pub horizon: u32,
    /// What is proven.
    pub proof: Proof,
    /// Between equal scores.
    pub tie: TieBreak,
    /// The move played.
    pub final_move: FinalMove,
    /// Leaves collected before they are evaluated together, 1 .. 64.
    pub batch: u32,
    /// When the search ends because the leader cannot be overtaken.
    pub early: EarlyStop,
    /// Visits in a row after which the move on top is played at once; 0 for never.
    pub on_top: u32,
    /// The tree between moves.
    pub reuse: Reuse,
    /// MiB the nodes and the table that finds them may take.
    pub memory_mib: u32,
}

impl Default for Config {
    /// Every tunable at the default of its row.
    fn default() -> Config {
        let mut config = Config {
            structure: Structure::Tree,
            selection: Selection::Ucb1,
            c: 0.0,
            schedule: Schedule::default(),
            scale: Scale::None,
            urgency: None,
            leaf_value: LeafValue::Own,
            reward: Reward::Win,
            expand: ExpansionWidth::One,
            start: StartValue::Own,
            order: ExpansionOrder::Listed,
            after: 1,
            forced: ForcedMoves::Never,
            evaluation: Evaluation::Uniform,
            cut: 1,
            horizon: 1,
            proof: Proof::Off,
            tie: TieBreak::First,
            final_move: FinalMove::Mean,
            batch: 1,
            early: EarlyStop::Never,
            on_top: 1,
            reuse: Reuse::None,
            memory_mib: 1,
        };
        for row in TUNABLES {
            config.set(row.name, row.default).expect("the table's own defaults are in range");
        }
        config
    }
}

impl Config {
    /// UCT (Kocsis and Szepesvari 2006): a tree, nothing proven, uniform playouts; a node's moves are those that the
    /// game's tactics leave.
    pub fn uct() -> Config {
        let mut config = Config::default();
        for (name, value) in UCT {
            config.set(name, value).expect("a row and a value of it");
        }
        config
    }

    /// Sets the tunable called `name`.
    ///
    /// # Errors
    /// An unknown name, or a value outside the row's range.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), TextError> {
        let row = Tunable::find(TUNABLES, name).ok_or_else(|| no_row(TUNABLES, name))?;
        if row.name == "schedule" {
            self.schedule = value.parse()?;
            return Ok(());
        }
        self.set_row(row, value).ok_or_else(|| row.refused(value))
    }

    /// Whether the settings make sense together.
    ///
    /// # Errors
    /// Two that exclude each other.
    pub fn check(&self) -> Result<(), TextError> {
        if self.start == StartValue::Children && self.expand == ExpansionWidth::One {
            let expected = "expand=all with it, for a node's children are not all there otherwise";
            return Err(TextError::new("start=children", expected, "add expand=all"));
        }
        Ok(())
    }

    /// With every number inside the range of its row.
    pub(crate) fn in_range(mut self) -> Config {
        self.c = within("c", if self.c.is_finite() { self.c } else { Config::default().c });
        let urgency = self.urgency.filter(|urgency| urgency.is_finite());
        self.urgency = urgency.map(|urgency| within("fpu", urgency));
        for (name, number) in [
            ("after", &mut self.after),
            ("cut", &mut self.cut),
            ("horizon", &mut self.horizon),
            ("batch", &mut self.batch),
            ("top", &mut self.on_top),
            ("memory", &mut self.memory_mib),
        ] {
            *number = whole_within(name, *number);
        }
        self
    }

    /// When the search may end early.
    pub(crate) fn early_stop(&self) -> EarlyEnd {
        EarlyEnd { overtaken: self.early, on_top: self.on_top.into() }
    }

    /// The value of the tunable called `name`, as text that [`set`](Config::set) takes; `None` for an unknown name.
    pub fn get(&self, name: &str) -> Option<String> {
        Some(match name {
            "structure" => self.structure.word().to_owned(),
            "select" => self.selection.word().to_owned(),
            "c" => self.c.to_string(),
            "schedule" => self.schedule.to_string(),
            "scale" => self.scale.word().to_owned(),
            "fpu" => self.urgency.map_or_else(|| "off".to_owned(), |x| x.to_string()),
            "leaf" => self.leaf_value.word().to_owned(),
            "reward" => self.reward.word().to_owned(),
            "expand" => self.expand.word().to_owned(),
            "start" => self.start.word().to_owned(),
            "order" => self.order.word().to_owned(),
            "after" => self.after.to_string(),
            "forced" => self.forced.word().to_owned(),
            "eval" => self.evaluation.word().to_owned(),
            "cut" => self.cut.to_string(),
            "horizon" => self.horizon.to_string(),
            "proof" => self.proof.word().to_owned(),
            "tie" => self.tie.word().to_owned(),
            "final" => self.final_move.word().to_owned(),
            "batch" => self.batch.to_string(),
            "early" => self.early.word().to_owned(),
            "top" => self.on_top.to_string(),
            "reuse" => self.reuse.word().to_owned(),
            "memory" => self.memory_mib.to_string(),
            _ => return None,
        })
    }

    fn set_row(&mut self, row: &Tunable, value: &str) -> Option<()> {
        match row.name {
            "structure" => self.structure = Structure::from_word(value)?,
            "select" => self.selection = Selection::from_word(value)?,
            "c" => self.c = row.real(value)?,
            "scale" => self.scale = Scale::from_word(value)?,
            "fpu" => self.urgency = row.real_or_off(value)?,
            "leaf" => self.leaf_value = LeafValue::from_word(value)?,
            "reward" => self.reward = Reward::from_word(value)?,
            "expand" => self.expand = ExpansionWidth::from_word(value)?,
            "start" => self.start = StartValue::from_word(value)?,
            "order" => self.order = ExpansionOrder::from_word(value)?,
            "after" => self.after = row.whole(value)?,
            "forced" => self.forced = ForcedMoves::from_word(value)?,
            "eval" => self.evaluation = Evaluation::from_word(value)?,
            "cut" => self.cut = row.whole(value)?,
            "horizon" => self.horizon = row.whole(value)?,
            "proof" => self.proof = Proof::from_word(value)?,
            "tie" => self.tie = TieBreak::from_word(value)?,
            "final" => self.final_move = FinalMove::from_word(value)?,
            "batch" => self.batch = row.whole(value)?,
            "early" => self.early = EarlyStop::from_word(value)?,
            "top" => self.on_top = row.whole(value)?,
            "reuse" => self.reuse = Reuse::from_word(value)?,
            "memory" => self.memory_mib = row.whole(value)?,
            _ => unreachable!("every row of the table is a field"),
        }
        Some(())
    }
}

/// The number nearest to `x` in the range of the row called `name`.
fn within(name: &str, x: f32) -> f32 {
    match Tunable::find(TUNABLES, name).map(|row| row.range) {
        Some(Range::Real { min, max, .. } | Range::RealOrOff { min, max, .. }) => x.clamp(min as f32, max as f32),
        _ => x,
    }
}

/// The whole number nearest to `x` in the range of the row called `name`.
fn whole_within(name: &str, x: u32) -> u32 {
    match Tunable::find(TUNABLES, name).map(|row| row.range) {
        Some(Range::Whole { min, max, .. } | Range::WholeOrOff { min, max, .. }) => u64::from(x).clamp(min, max) as u32,
        _ => x,
    }
}

/// What plain UCT is, whatever the defaults are.
const UCT: &[(&str, &str)] = &[
    ("structure", "tree"),
    ("proof", "off"),
    ("select", "ucb1"),
    ("expand", "one"),
    ("eval", "uniform"),
    ("forced", "expansion"),
    ("batch", "1"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_takes_its_default_and_every_word_and_gives_it_back() {
        for row in TUNABLES {
            let mut config = Config::default();
            assert_eq!(config.get(row.name).as_deref(), Some(row.default), "{}", row.name);
            for value in row.range.samples() {
                config.set(row.name, &value).unwrap_or_else(|err| panic!("{}: {err}", row.name));
                assert_eq!(config.get(row.name), Some(value));
            }
        }
    }

    #[test]
    fn fields_are_brought_into_the_ranges_of_their_rows() {
        let mut config =
            Config { c: f32::NAN, urgency: Some(1e9), after: 0, batch: 65, memory_mib: 0, ..Config::uct() };
        config.on_top = u32::MAX;
        let held = config.in_range();
        assert_eq!((held.c, held.urgency), (Config::default().c, Some(1000.0)));
        assert_eq!((held.after, held.batch, held.memory_mib, held.on_top), (1, 64, 1, 1_000_000_000));
        assert_eq!(Config::default().in_range(), Config::default());
    }

    #[test]
    fn values_out_of_range_are_refused_by_name() {
        let mut config = Config::default();
        for (name, value) in [
            ("c", "nan"),
            ("c", "-1"),
            ("after", "0"),
            ("reward", "Win"),
            ("memory", "1e9"),
            ("d", "1"),
            ("batch", "65"),
            ("schedule", "0:1/0.5:2"),
            ("fpu", "inf"),
        ] {
            let err = config.set(name, value).expect_err(value).to_string();
            assert!(err.contains(name), "{err}");
        }
        assert_eq!(config, Config::default());
    }
}
