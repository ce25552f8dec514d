//! What a Monte Carlo search is composed from, and its text.

use banyan_core::{Limits, TextError};

use super::choices::{
    EarlyStop, ExpansionOrder, ExpansionWidth, FinalMove, ForcedMoves, Lazily, LeafValue, Model, Policy, Proof, Reuse,
    Reward, Scale, Scheme, Selection, StartValue, Structure, TieBreak,
};
use super::range::Range;
use super::schedule::Schedule;
use super::tunables::{TUNABLES, Tunable, no_row};

/// Everything that can be set on the search; each field is a row of [`TUNABLES`].
#[derive(Clone, Debug, PartialEq)]
pub struct Config {
    /// Tree or graph.
    pub structure: Structure,
    /// The formula that chooses among the children.
    pub selection: Selection,
    /// Where priors come from.
    pub policy: Policy,
    /// Exploration weight, on the scale of the reward.
    pub c: f32,
    /// Exploration weight by the phase of the game, in place of `c`.
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
    /// When moves are restricted to the forced ones.
    pub forced: ForcedMoves,
    /// The evaluator of leaves, by name: one of [`EVALUATORS`](crate::EVALUATORS) or of the game's own.
    pub evaluator: String,
    /// By which rules a `threat` playout goes, in games that have such.
    pub threat_rules: String,
    /// Plies after which a playout ends and the static margin counts; 0 for never.
    pub cut: u32,
    /// Plies below the root at which a position gets no children; 0 for no such depth.
    pub horizon: u32,
    /// Plies of the alpha-beta search that values a leaf; 0 for none.
    pub probe: u32,
    /// Only positions visited less often than this are probed; 0 for all.
    pub below: u32,
    /// How much of what the node evaluator promises is added to the mean of the children's first playouts that a node begins
    /// with; 0 for nothing.
    pub appraisal: f32,
    /// Microseconds that the evaluation of a leaf takes at least; 0 for no such bound.
    pub pad: u32,
    /// Who says which reply to a move at the root is searched. It excludes proofs and reuse.
    pub model: Model,
    /// Plies, or hundreds of playouts, that the model looks ahead, at least 1.
    pub foresight: u32,
    /// Plies of the alpha-beta search whose best move gets a bonus at the root; 0 for none.
    pub prior: u32,
    /// The bonus, in rewards: the move's score is raised by `bonus / (n + 1)`.
    pub bonus: f32,
    /// Stage of the game, 0 .. 1, up to which there is a bonus.
    pub until: f32,
    /// Probability that a node with untried children, one tried at least, tries none.
    pub lazy: f32,
    /// What it does instead.
    pub lazily: Lazily,
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
    /// Threads that search together, 1 .. 256.
    pub threads: u32,
    /// How they do.
    pub scheme: Scheme,
}

impl Default for Config {
    /// Every tunable at the default of its row.
    fn default() -> Config {
        let mut config = Config {
            structure: Structure::Tree,
            selection: Selection::Ucb1,
            policy: Policy::Even,
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
            evaluator: String::new(),
            threat_rules: String::new(),
            cut: 1,
            horizon: 1,
            probe: 1,
            below: 1,
            appraisal: 0.0,
            pad: 1,
            model: Model::Off,
            foresight: 1,
            prior: 1,
            bonus: 0.0,
            until: 0.0,
            lazy: 0.0,
            lazily: Lazily::Descend,
            proof: Proof::Off,
            tie: TieBreak::First,
            final_move: FinalMove::Mean,
            batch: 1,
            early: EarlyStop::Never,
            on_top: 1,
            reuse: Reuse::None,
            memory_mib: 1,
            threads: 1,
            scheme: Scheme::Root,
        };
        for row in TUNABLES {
            config.set(row.name, row.default).expect("the table's own defaults are in range");
        }
        config
    }
}

impl Config {
    /// UCT (Kocsis and Szepesvari 2006): a tree, nothing proven, uniform playouts, no knowledge of the game.
    pub fn uct() -> Config {
        let mut config = Config::default();
        for (name, value) in UCT {
            config.set(name, value).expect("a row and a value of it");
        }
        config
    }

    /// The same, but that a node's moves are those that the game's tactics leave: win, block, avoid.
    pub fn uct_forced() -> Config {
        Config { forced: ForcedMoves::Expansion, ..Config::uct() }
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
        let taken = match row.range {
            Range::Choice(_) => self.set_word(row, value),
            Range::Name(_) => self.set_name(row, value),
            _ => self.set_number(row, value),
        };
        taken.ok_or_else(|| row.refused(value))
    }

    /// Whether what is known may end a search before its budget is spent.
    pub(crate) fn may_end_early(&self, limits: &Limits) -> bool {
        limits.clock.is_some() || self.on_top > 0 || self.early == EarlyStop::Always
    }

    /// Whether a move without a rival is played at once.
    pub(crate) fn plays_forced(&self, limits: &Limits) -> bool {
        limits.clock.is_some() && self.early != EarlyStop::Never
    }

    /// The value of the tunable called `name`, as text that [`set`](Config::set) takes; `None` for an unknown name.
    pub fn get(&self, name: &str) -> Option<String> {
        self.word(name).map(str::to_owned).or_else(|| self.number(name))
    }

    fn word(&self, name: &str) -> Option<&'static str> {
        Some(match name {
            "structure" => self.structure.word(),
            "select" => self.selection.word(),
            "policy" => self.policy.word(),
            "scale" => self.scale.word(),
            "leaf" => self.leaf_value.word(),
            "reward" => self.reward.word(),
            "expand" => self.expand.word(),
            "start" => self.start.word(),
            "order" => self.order.word(),
            "forced" => self.forced.word(),
            "model" => self.model.word(),
            "lazily" => self.lazily.word(),
            "proof" => self.proof.word(),
            "tie" => self.tie.word(),
            "final" => self.final_move.word(),
            "early" => self.early.word(),
            "reuse" => self.reuse.word(),
            "scheme" => self.scheme.word(),
            _ => return None,
        })
    }

    fn number(&self, name: &str) -> Option<String> {
        Some(match name {
            "schedule" => self.schedule.to_string(),
            "rules" => self.threat_rules.clone(),
            "eval" => self.evaluator.clone(),
            "c" => self.c.to_string(),
            "fpu" => self.urgency.map_or_else(|| "off".to_owned(), |x| x.to_string()),
            "after" => self.after.to_string(),
            "cut" => self.cut.to_string(),
            "horizon" => self.horizon.to_string(),
            "probe" => self.probe.to_string(),
            "below" => self.below.to_string(),
            "appraise" => self.appraisal.to_string(),
            "pad" => self.pad.to_string(),
            "foresight" => self.foresight.to_string(),
            "prior" => self.prior.to_string(),
            "bonus" => self.bonus.to_string(),
            "until" => self.until.to_string(),
            "lazy" => self.lazy.to_string(),
            "batch" => self.batch.to_string(),
            "top" => self.on_top.to_string(),
            "memory" => self.memory_mib.to_string(),
            "threads" => self.threads.to_string(),
            _ => return None,
        })
    }

    fn set_word(&mut self, row: &Tunable, value: &str) -> Option<()> {
        match row.name {
            "structure" => self.structure = Structure::from_word(value)?,
            "select" => self.selection = Selection::from_word(value)?,
            "policy" => self.policy = Policy::from_word(value)?,
            "scale" => self.scale = Scale::from_word(value)?,
            "leaf" => self.leaf_value = LeafValue::from_word(value)?,
            "reward" => self.reward = Reward::from_word(value)?,
            "expand" => self.expand = ExpansionWidth::from_word(value)?,
            "start" => self.start = StartValue::from_word(value)?,
            "order" => self.order = ExpansionOrder::from_word(value)?,
            "forced" => self.forced = ForcedMoves::from_word(value)?,
            "model" => self.model = Model::from_word(value)?,
            "lazily" => self.lazily = Lazily::from_word(value)?,
            "proof" => self.proof = Proof::from_word(value)?,
            "tie" => self.tie = TieBreak::from_word(value)?,
            "final" => self.final_move = FinalMove::from_word(value)?,
            "early" => self.early = EarlyStop::from_word(value)?,
            "reuse" => self.reuse = Reuse::from_word(value)?,
            "scheme" => self.scheme = Scheme::from_word(value)?,
            _ => unreachable!("every row of words is a field"),
        }
        Some(())
    }

    fn set_name(&mut self, row: &Tunable, value: &str) -> Option<()> {
        let name = row.name_of(value)?.to_owned();
        match row.name {
            "eval" => self.evaluator = name,
            "rules" => self.threat_rules = name,
            _ => unreachable!("every row of names is a field"),
        }
        Some(())
    }

    fn set_number(&mut self, row: &Tunable, value: &str) -> Option<()> {
        match row.name {
            "c" => self.c = row.real(value)?,
            "fpu" => self.urgency = row.real_or_off(value)?,
            "after" => self.after = row.whole(value)?,
            "cut" => self.cut = row.whole(value)?,
            "horizon" => self.horizon = row.whole(value)?,
            "probe" => self.probe = row.whole(value)?,
            "below" => self.below = row.whole(value)?,
            "appraise" => self.appraisal = row.real(value)?,
            "pad" => self.pad = row.whole(value)?,
            "foresight" => self.foresight = row.whole(value)?,
            "prior" => self.prior = row.whole(value)?,
            "bonus" => self.bonus = row.real(value)?,
            "until" => self.until = row.real(value)?,
            "lazy" => self.lazy = row.real(value)?,
            "batch" => self.batch = row.whole(value)?,
            "top" => self.on_top = row.whole(value)?,
            "memory" => self.memory_mib = row.whole(value)?,
            "threads" => self.threads = row.whole(value)?,
            _ => unreachable!("every row of numbers is a field"),
        }
        Some(())
    }
}

/// What plain UCT is, whatever the defaults are.
const UCT: &[(&str, &str)] = &[
    ("structure", "tree"),
    ("proof", "off"),
    ("select", "ucb1"),
    ("expand", "one"),
    ("eval", "uniform"),
    ("forced", "never"),
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
    fn fields_out_of_the_ranges_of_their_rows_are_refused_by_name() {
        assert_eq!(Config::default().check(), Ok(()));
        for (config, name) in [
            (Config { c: f32::NAN, ..Config::uct() }, "c=NaN"),
            (Config { urgency: Some(1e9), ..Config::uct() }, "fpu=1000000000"),
            (Config { after: 0, ..Config::uct() }, "after=0"),
            (Config { batch: 65, ..Config::uct() }, "batch=65"),
            (Config { memory_mib: 0, ..Config::uct() }, "memory=0"),
            (Config { evaluator: "No name".to_owned(), ..Config::uct() }, "eval=No name"),
        ] {
            let err = config.check().expect_err(name).to_string();
            assert!(err.starts_with(name), "{err}");
        }
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
            ("rules", "win,block"),
            ("model", "human"),
            ("lazy", "1"),
            ("probe", "21"),
            ("foresight", "0"),
            ("until", "1.5"),
        ] {
            let err = config.set(name, value).expect_err(value).to_string();
            assert!(err.contains(name), "{err}");
        }
        assert_eq!(config, Config::default());
    }
}
