//! Nothing of its own: programs link the crates that it asks for.
