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

/// How a character of a game moves, in units and seconds. What all games share is in `world/walk.rs`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct WalkRules {
    /// Speed that it runs at.
    pub speed: f32,
    pub gravity: f32,
    pub jump_speed: f32,
    /// Share of the wanted speed ahead that a jump adds, standing and ducked.
    pub jump_gain: [f32; 2],
    /// The speed from which on friction takes as much as of that.
    pub stop_speed: f32,
    /// Share of the wanted speed that is gained per second on the ground.
    pub acceleration: f32,
    pub half_width: f32,
    /// Heights of its box and of its eye, standing and ducked.
    pub heights: [f32; 2],
    pub eye_heights: [f32; 2],
    /// Share of its speed that it has while it is ducked.
    pub ducked_speed: f32,
}

/// The settings of the engine itself: jumps of 45 units.
const ENGINE: WalkRules = WalkRules {
    speed: 250.0,
    gravity: 800.0,
    jump_speed: 268.328_16,
    jump_gain: [0.0; 2],
    stop_speed: 100.0,
    acceleration: 10.0,
    half_width: 16.0,
    heights: [72.0, 36.0],
    eye_heights: [64.0, 28.0],
    ducked_speed: 1.0 / 3.0,
};

/// Jumps of 21 units, which gain speed ahead.
const HALF_LIFE_2: WalkRules = WalkRules {
    speed: 190.0,
    gravity: 600.0,
    jump_speed: 160.0,
    jump_gain: [0.5, 0.1],
    ..ENGINE
};

/// Jumps of 57 units.
const COUNTER_STRIKE: WalkRules = WalkRules {
    jump_speed: 301.993_38,
    stop_speed: 75.0,
    acceleration: 5.0,
    heights: [62.0, 45.0],
    eye_heights: [64.0, 47.0],
    ducked_speed: 0.34,
    ..ENGINE
};

/// Jumps of 52 units; speed and eye of a character that is neither fast nor slow.
const TEAM_FORTRESS: WalkRules = WalkRules {
    speed: 300.0,
    jump_speed: 289.0,
    half_width: 24.0,
    heights: [82.0, 62.0],
    eye_heights: [68.0, 45.0],
    ..ENGINE
};

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

    /// How its characters move.
    pub(crate) fn walk_rules(self) -> &'static WalkRules {
        match self {
            Self::Engine => &ENGINE,
            Self::HalfLife2 | Self::Portal => &HALF_LIFE_2,
            Self::CounterStrikeSource | Self::CounterStrikeGo => &COUNTER_STRIKE,
            Self::TeamFortress2 => &TEAM_FORTRESS,
        }
    }

    /// Seconds of a tick.
    pub fn tick_secs(self) -> f64 {
        match self {
            Self::CounterStrikeGo => 1.0 / 64.0,
            _ => TICK_SECS,
        }
    }
}
