//! Typed files of a Parkan level to a `Scene`.
