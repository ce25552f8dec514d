//! A state without its type.

use std::any::Any;
use std::fmt;
use std::hash::{Hash, Hasher};

/// The state of some game; copied by `clone`.
pub struct ErasedState(Box<dyn AnyState>);

/// The functions of a state that do not name its type.
trait AnyState: fmt::Debug + Send + Sync {
    fn copy(&self) -> Box<dyn AnyState>;
    fn equals(&self, other: &dyn AnyState) -> bool;
    fn hash_into(&self, hasher: &mut dyn Hasher);
    fn as_any(&self) -> &dyn Any;
    fn as_any_mut(&mut self) -> &mut dyn Any;
}

impl<S: Clone + Eq + Hash + fmt::Debug + Send + Sync + 'static> AnyState for S {
    fn copy(&self) -> Box<dyn AnyState> {
        Box::new(self.clone())
    }

    fn equals(&self, other: &dyn AnyState) -> bool {
        other.as_any().downcast_ref() == Some(self)
    }

    fn hash_into(&self, mut hasher: &mut dyn Hasher) {
        self.hash(&mut hasher);
    }

    fn as_any(&self) -> &dyn Any {
        self
    }

    fn as_any_mut(&mut self) -> &mut dyn Any {
        self
    }
}

/// The message of a panic where states of two games are mixed up.
const OTHER_GAME: &str = "the state is one of this game";

impl ErasedState {
    /// This state without its type.
    pub fn new<S: Clone + Eq + Hash + fmt::Debug + Send + Sync + 'static>(state: S) -> ErasedState {
        ErasedState(Box::new(state))
    }

    /// The state with its type.
    ///
    /// # Panics
    /// It is a state of another type.
    pub fn typed<S: 'static>(&self) -> &S {
        self.0.as_any().downcast_ref().expect(OTHER_GAME)
    }

    /// The state with its type, to be changed.
    ///
    /// # Panics
    /// It is a state of another type.
    pub fn typed_mut<S: 'static>(&mut self) -> &mut S {
        self.0.as_any_mut().downcast_mut().expect(OTHER_GAME)
    }
}

impl Clone for ErasedState {
    fn clone(&self) -> ErasedState {
        ErasedState(self.0.copy())
    }
}

impl PartialEq for ErasedState {
    fn eq(&self, other: &ErasedState) -> bool {
        self.0.equals(&*other.0)
    }
}

impl Eq for ErasedState {}

impl Hash for ErasedState {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        self.0.hash_into(hasher);
    }
}

impl fmt::Debug for ErasedState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
