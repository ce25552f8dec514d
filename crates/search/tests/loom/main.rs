//! Models of the shared graph under loom (Norris and Demsky 2013, CDSChecker), which tries every interleaving and every
//! value that an atomic may return. The words and the table are the search's own.

mod mcts;
