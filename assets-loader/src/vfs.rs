//! A game's root folder: names opened case-insensitively across folders and archives.
