//! Which settings go together, and what follows for each thread.

use banyan_core::TextError;

use super::choices::{ExpansionWidth, Lazily, Model, Policy, Proof, Reuse, Scale, Scheme, Selection, StartValue};
use super::config::Config;
use super::tunables::TUNABLES;

impl Config {
    /// Whether the settings make sense together.
    ///
    /// # Errors
    /// A number out of its range, or two settings that exclude each other.
    pub fn check(&self) -> Result<(), TextError> {
        for row in TUNABLES {
            let value = self.get(row.name).expect("every row is a field");
            self.clone().set(row.name, &value)?;
        }
        if self.start == StartValue::Children && self.expand == ExpansionWidth::One {
            let expected = "expand=all with it, for a node's children are not all there otherwise";
            return Err(TextError::new("start=children", expected, "add expand=all"));
        }
        if self.expand == ExpansionWidth::Scout && self.selection != Selection::Puct {
            let expected = "select=puct with it, for other formulas have no place for a child without a visit";
            return Err(TextError::new("expand=scout", expected, "add select=puct"));
        }
        if self.appraisal > 0.0 && self.expand != ExpansionWidth::Scout && self.start != StartValue::Children {
            let expected =
                "expand=scout or start=children with it, for it is added to what the children's playouts say";
            return Err(TextError::new(
                format!("appraise={}", self.appraisal),
                expected,
                "add expand=scout,select=puct",
            ));
        }
        if self.policy == Policy::Game && self.selection != Selection::Puct {
            let expected = "select=puct with it, for other formulas have no priors";
            return Err(TextError::new("policy=game", expected, "add select=puct"));
        }
        let model = format!("model={}", self.model.word());
        if self.model != Model::Off && self.proof != Proof::Off {
            let expected = "proof=off with it, for nothing is proven where replies are left out";
            return Err(TextError::new(model, expected, "add proof=off"));
        }
        if self.model != Model::Off && self.reuse != Reuse::None {
            let expected = "reuse=none with it, for what is kept has other replies left out";
            return Err(TextError::new(model, expected, "add reuse=none"));
        }
        self.check_threads()
    }

    fn check_threads(&self) -> Result<(), TextError> {
        let unfit = match self.scheme {
            _ if self.threads == 1 => None,
            Scheme::Root => self.least_memory(self.threads, "a MiB for each graph"),
            Scheme::Shared => self.unfit_for_copies(),
            Scheme::Mutex => self.unfit_for_one_leaf(),
        };
        let threads = || format!("scheme={},threads={}", self.scheme.word(), self.threads);
        unfit.map_or(Ok(()), |(expected, remedy)| Err(TextError::new(threads(), expected, remedy)))
    }

    /// What is expected and what is to be done where so many MiB are too few.
    fn least_memory(&self, mib: u32, why: &str) -> Option<(String, String)> {
        let few = || (format!("memory={mib} or more with it, {why}"), format!("try memory={mib}"));
        (self.memory_mib < mib).then(few)
    }

    /// The same where threads search in copies.
    fn unfit_for_copies(&self) -> Option<(String, String)> {
        let unfit = |expected: &str, remedy: &str| Some((expected.to_owned(), remedy.to_owned()));
        if self.expand != ExpansionWidth::One {
            return unfit("expand=one with it, for children are claimed one at a time", "add expand=one");
        }
        if self.policy == Policy::Game {
            return unfit("policy=even with it, for priors are not shared", "add policy=even");
        }
        if self.selection == Selection::Tuned || self.scale == Scale::Spread {
            let expected = "neither select=tuned nor scale=spread with it, for mean squares are not shared";
            return unfit(expected, "leave both out, or add scheme=root");
        }
        if self.lazy > 0.0 && self.lazily == Lazily::Resample {
            let expected = "lazily=descend with it, for a node that was valued again would have to be shared at once";
            return unfit(expected, "add lazily=descend");
        }
        self.least_memory(self.threads + 1, "a MiB for the graph and one for each thread's copies")
    }

    /// The same where each thread values one leaf of one search.
    fn unfit_for_one_leaf(&self) -> Option<(String, String)> {
        let unfit = |expected: &str, remedy: &str| Some((expected.to_owned(), remedy.to_owned()));
        if self.batch > 1 {
            return unfit("batch=1 with it, for each thread takes one leaf at a time", "leave batch out");
        }
        if self.expand != ExpansionWidth::One {
            return unfit("expand=one with it, for children tried at once are valued by one thread", "add expand=one");
        }
        None
    }

    /// How many searches work together, with a graph of their own or only to make playouts.
    pub(crate) fn n_searchers(&self) -> u32 {
        match self.scheme {
            _ if self.threads == 1 => 1,
            Scheme::Root => self.threads,
            Scheme::Mutex | Scheme::Shared => self.threads + 1,
        }
    }

    /// The settings of one of them: its share of the memory.
    pub(crate) fn share(&self, number: u32) -> Config {
        let memory_mib = match self.scheme {
            Scheme::Root => (self.memory_mib / self.threads).max(1),
            Scheme::Shared if number == 0 && self.threads > 1 => self.memory_mib - self.threads * self.copies_mib(),
            Scheme::Shared | Scheme::Mutex if number == 0 => self.memory_mib,
            // Who makes playouts keeps no nodes, and copies have a limit of their own.
            Scheme::Shared | Scheme::Mutex => 1,
        };
        Config { memory_mib, ..self.clone() }
    }

    /// MiB that a thread's copies of shared nodes may take. An eighth of all, up to what holds the top of any graph: guess,
    /// untuned.
    pub(crate) fn copies_mib(&self) -> u32 {
        (self.memory_mib / (8 * self.threads)).clamp(1, 16)
    }
}
