//! Protocols that other programs speak, each as server (Banyan is asked for moves) and, where it makes sense, as client
//! (Banyan asks an engine for moves).
