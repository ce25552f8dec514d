//! What threads write of one graph, under loom (Norris and Demsky 2013, CDSChecker), which tries every order in which they
//! may come and everything that an atomic may then say. The words and the table are the search's own.

mod tree;
