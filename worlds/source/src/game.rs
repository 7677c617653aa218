//! What games of the engine differ in, as far as a level is concerned: how characters move, and how long a tick is.

use std::path::Path;

use clap::ValueEnum;

/// Seconds of a tick of the first games.
const TICK_SECS: f64 = 0.015;

/// A game of the engine.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, ValueEnum)]
pub enum Game {
    /// One that is not known: the settings that the engine itself has.
    #[default]
    #[value(name = "engine")]
    Engine,
    /// Half-Life 2 and its episodes.
    #[value(name = "hl2")]
    HalfLife2,
    /// Counter-Strike: Source.
    #[value(name = "css")]
    CounterStrikeSource,
    /// Team Fortress 2.
    #[value(name = "tf2")]
    TeamFortress2,
    /// Portal.
    #[value(name = "portal")]
    Portal,
    /// Counter-Strike: Global Offensive.
    #[value(name = "csgo")]
    CounterStrikeGo,
}

/// Folders of games, by which they are known.
const FOLDERS: [(&str, Game); 14] = [
    ("hl2", Game::HalfLife2),
    ("episodic", Game::HalfLife2),
    ("ep2", Game::HalfLife2),
    ("lostcoast", Game::HalfLife2),
    ("cstrike", Game::CounterStrikeSource),
    ("css", Game::CounterStrikeSource),
    ("tf", Game::TeamFortress2),
    ("tf2", Game::TeamFortress2),
    ("portal", Game::Portal),
    ("csgo", Game::CounterStrikeGo),
    ("half-life 2", Game::HalfLife2),
    ("counter-strike source", Game::CounterStrikeSource),
    ("team fortress 2", Game::TeamFortress2),
    ("counter-strike global offensive", Game::CounterStrikeGo),
];

impl Game {
    /// The game whose folder a map lies in, the nearest above it.
    pub fn from_map_path(path: &Path) -> Self {
        let folders = path.ancestors().skip(1).filter_map(Path::file_name);
        let mut games = folders.filter_map(|folder| {
            let name = folder.to_string_lossy().to_ascii_lowercase();
            FOLDERS.iter().find(|(known, _)| *known == name)
        });
        games.next().map_or(Self::Engine, |(_, game)| *game)
    }

    /// Seconds of a tick.
    pub fn tick_secs(self) -> f64 {
        match self {
            Self::CounterStrikeGo => 1.0 / 64.0,
            _ => TICK_SECS,
        }
    }
}
