//! The lodestone board on a PC.
