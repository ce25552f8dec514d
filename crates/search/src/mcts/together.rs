//! Which settings go together, and what follows for each thread.

use banyan_core::TextError;

use super::Config;
use super::choices::{Evaluation, ExpansionWidth, Model, Proof, Reuse, Scheme, StartValue};

impl Config {
    /// Whether the settings make sense together.
    ///
    /// # Errors
    /// Two that exclude each other.
    pub fn check(&self) -> Result<(), TextError> {
        if self.start == StartValue::Children && self.expand == ExpansionWidth::One {
            let expected = "expand=all with it, for a node's children are not all there otherwise";
            return Err(TextError::new("start=children", expected, "add expand=all"));
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

    /// The same for a search whose leaves are valued by an evaluator of one's own.
    ///
    /// # Errors
    /// As with [`check`](Config::check), and with more than one thread.
    pub fn check_with_evaluator(&self) -> Result<(), TextError> {
        if self.threads > 1 {
            let expected = "threads=1 with an evaluator of one's own, which answers one search at a time";
            return Err(TextError::new(format!("threads={}", self.threads), expected, "leave threads out"));
        }
        self.check()
    }

    pub(super) fn check_threads(&self) -> Result<(), TextError> {
        if self.threads == 1 {
            return Ok(());
        }
        let threads = format!("scheme={},threads={}", self.scheme.word(), self.threads);
        let refused = |expected: &str, remedy: &str| Err(TextError::new(&threads, expected, remedy));
        if self.scheme == Scheme::Root {
            if self.memory_mib < self.threads {
                let least = format!("memory={}", self.threads);
                return refused(&format!("{least} or more with it, a MiB for each graph"), &format!("try {least}"));
            }
            return Ok(());
        }
        if self.batch > 1 {
            return refused("batch=1 with it, for each thread takes one leaf at a time", "leave batch out");
        }
        if self.expand == ExpansionWidth::All {
            return refused(
                "expand=one with it, for children tried at once are valued by one thread",
                "add expand=one",
            );
        }
        let same = self.probe > 0 || matches!(self.evaluation, Evaluation::Standing | Evaluation::Estimate);
        if self.scheme == Scheme::Leaf && same {
            let expected = "playouts with it, for every look at the same position says the same";
            return refused(expected, "leave probe out and add eval=uniform");
        }
        Ok(())
    }

    /// How many searches work together, with a graph of their own or only to make playouts.
    pub(super) fn n_minds(&self) -> u32 {
        match self.scheme {
            _ if self.threads == 1 => 1,
            Scheme::Root | Scheme::Leaf => self.threads,
            Scheme::Mutex => self.threads + 1,
        }
    }

    /// The settings of one of them: its share of the memory.
    pub(super) fn share(&self, number: u32) -> Config {
        let memory_mib = match self.scheme {
            Scheme::Root => (self.memory_mib / self.threads).max(1),
            Scheme::Mutex | Scheme::Leaf if number == 0 => self.memory_mib,
            // Who makes playouts keeps no nodes.
            Scheme::Mutex | Scheme::Leaf => 1,
        };
        Config { memory_mib, ..self.clone() }
    }
}
