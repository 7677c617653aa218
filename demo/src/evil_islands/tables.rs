//! What the game knows of the island beside its zone: animations of units, a few rows of its databases, texts, menus,
//! music and kinds of ground.

use ironlands_assets_core::bytes::FormatError;
use ironlands_assets_evil_islands::adb::{
    ActionForms, ActionType, Adb, AdbAnimation, AllowedState, FormsShift, PackedAction, Stage,
    Weapons,
};
use ironlands_assets_evil_islands::db::{Db, DbKind};
use ironlands_assets_evil_islands::reg::Reg;

use super::figures::{FigurePlan, HEIGHTS, HUMAN};

/// Names and bytes of the files of an archive.
type Files = Vec<(String, Vec<u8>)>;

/// What goes with an animation of the human.
struct Use {
    name: &'static str,
    state: AllowedState,
    action: ActionType,
    weapons: Weapons,
    stage: Stage,
    forms: ActionForms,
    speed: f32,
    /// Frames in which feet touch the ground.
    steps: [u32; 4],
    /// Frame in which a blow hits; 0 for none.
    hit: u32,
}

fn uses() -> Vec<Use> {
    let plain = |name, action| Use {
        name,
        state: AllowedState::All,
        action,
        weapons: Weapons::empty(),
        stage: Stage::Cycle,
        forms: ActionForms::empty(),
        speed: 0.0,
        steps: [0; 4],
        hit: 0,
    };
    let gait = |name, action, speed, steps| Use {
        speed,
        steps,
        forms: ActionForms::STEPS,
        ..plain(name, action)
    };
    vec![
        plain("cidle", ActionType::Idle),
        gait("cwalk01", ActionType::Walk, 1.0, [4, 12, 0, 0]),
        gait("crun01", ActionType::Run, 2.6, [3, 8, 0, 0]),
        Use {
            state: AllowedState::Attack,
            weapons: Weapons::SWORD,
            stage: Stage::Unique,
            forms: ActionForms::HIT,
            hit: 9,
            ..plain("uattack01", ActionType::Attack)
        },
        Use {
            stage: Stage::Unique,
            forms: ActionForms::LOW_SHAPE,
            ..plain("udeath06", ActionType::Death)
        },
    ]
}

/// Animations of the human, as its figure has them.
fn animations(plan: &FigurePlan) -> Result<Vec<u8>, FormatError> {
    let record = |(number, of): (usize, Use)| {
        let motion = plan.motions.iter().find(|motion| motion.name == of.name);
        AdbAnimation {
            name: padded(of.name),
            number: number as u32,
            action: PackedAction::default()
                .with_weapons(of.weapons)
                .with_state(of.state)
                .with_action(of.action)
                .with_stage(of.stage)
                .with_forms(FormsShift::Bit36, of.forms),
            action_probability: 100,
            length_ticks: motion.map_or(0, |motion| motion.n_frames as u32),
            movement_speed: of.speed,
            step_sound_starts: of.steps,
            hit_frame: of.hit,
            ..AdbAnimation::default()
        }
    };
    let records = uses().into_iter().enumerate().map(record);
    // Of the middle build: what its animations were made for is 1.
    let heights = [HEIGHTS[0], 1.0, HEIGHTS[1]].map(|height| height as f32);
    Adb::draft(padded(HUMAN), heights, records.collect()).write()
}

fn padded<const N: usize>(text: &str) -> [u8; N] {
    let mut bytes = [0; N];
    for (byte, from) in bytes.iter_mut().zip(text.bytes()) {
        *byte = from;
    }
    bytes
}

const MATERIALS: &str = "\
record id,0 name,1 type,2 code,3 id,4 price,5 weight,8 durability,11 kinds,13 shops
1,Steel,metal,st,1,40,2,1.5,[1 1 1 0.5 0.2 0 0],0x5
1,Wood,wood,wd,2,4,0.6,0.5,[0.3 0.4 0.8 0.1 0.4 1 0],0x15
";
const WEAPONS: &str = "\
record id,0 name,1 type,2 type id,3 material type,4 column 4,5 texture type 1,6 texture type 2,7 price,8 weight,9 size,\
10 mana,11 slots,12 durability,13 components,14 shops,15 deconstructable,21 actions,23 range,24 min damage,\
25 max damage,26 kinds,29 attack,30 defence
1,Sword,sword,0,metal,0,1,0,60,3,1,0,2,40,4,0x5,1,10,1.4,4,7,[0.3 1 0.2 0 0 0 0],6,3
";
const ARMORS: &str = "\
record id,0 name,1 type,2 type id,3 material type,4 column 4,5 texture type 1,6 texture type 2,7 price,8 weight,9 size,\
10 mana,11 slots,12 durability,13 components,14 shops,15 deconstructable,21 absorption,22 rest,23 apply wounds
1,Helmet,helm,1,metal,0,1,0,45,2,1,0,1,30,3,0x5,1,[2 0.2 0.4 0.3 0.1 0 0],[0 0],1
";
const NOTHING: &str = "record id\n";

const HIT_LOCATIONS: &str = "\
record id,0 name,1 kinds,2 kinds
1,head,[1.5 1.5 1.5 1 1 1 1],[1 1 1 1 1 1 1]
1,torso,[1 1 1 1 1 1 1],[1 1 1 1 1 1 1]
";
const RACE_MODELS: &str = "\
record id,0 name,1 type id,2 health regen,3 mana regen,6 vision arc,7 speeds,8 attack distance,30 mask name,\
31 textures,33 model shift,34 sfx path,38 attack sound probability,46 head height
1,unhuma,1,0.1,0.2,120,[4.5 1.6 1 0.5],0.9,human,\"[0:\"\"human00\"\" 1:\"\"human01\"\" 2:\"\"human02\"\"]\",1,human,50,1.6
";
const MONSTERS: &str = "\
record id,0 name,1 base race,3 skin index,5 complection x,6 complection y,7 complection z,9 hp,10 mana,15 to hit,\
16 parry,19 damage min,20 damage max,29 items
1,Island Guard,unhuma,1,0.6,0.8,0.7,40,10,14,12,4,7,\"[0:\"\"Steel Sword\"\" 1:\"\"Steel Helmet\"\"]\"
1,Island Peasant,unhuma,0,0.3,0.5,0.5,18,10,3,2,1,2,
1,Island Child,unhuma,2,0.7,0.2,0,8,4,1,1,0,1,
";

/// The files of `database.res`.
pub fn database(figures: &[FigurePlan]) -> Result<Files, FormatError> {
    let mut files = Vec::new();
    for plan in figures.iter().filter(|plan| plan.name == HUMAN) {
        files.push((format!("{}.adb", plan.name), animations(plan)?));
    }
    let items = [MATERIALS, WEAPONS, ARMORS, NOTHING, NOTHING, NOTHING];
    let units = [HIT_LOCATIONS, RACE_MODELS, MONSTERS, NOTHING];
    files.push((
        "items.idb".to_owned(),
        Db::from_csv(DbKind::Items, &items)?.write()?,
    ));
    files.push((
        "units.udb".to_owned(),
        Db::from_csv(DbKind::Units, &units)?.write()?,
    ));
    Ok(files)
}

/// The files of `texts.res`: a key of words each, and what the game shows for it.
pub fn texts() -> Files {
    let texts = [
        ("WEAPON Sword Steel", "Steel sword\r\nForged on the island."),
        ("ARMOR Helmet Steel", "Steel helmet"),
        ("ZONE zone1", "The Island"),
        ("UNIT Island Guard", "Guard"),
        ("UNIT Island Peasant", "Peasant"),
        ("UNIT Island Child", "Child"),
        (
            "QUEST bucket",
            "The miller's bucket\r\nIt lies in the well, and the well is deep.",
        ),
        (
            "QUEST gate",
            "The open gate\r\nThe farmer's lever is stiff.",
        ),
        (
            "QUEST signs",
            "The signs on the table mountain\r\nNobody in the village talks about them.",
        ),
    ];
    texts
        .map(|(key, text)| (key.to_owned(), text.as_bytes().to_vec()))
        .to_vec()
}

/// Where the entries of the menus are: left, top, right, bottom.
const MENUS: &str = "\
[MainMenu]
NewGame[]=64, 96, 256, 128
LoadGame[]=64, 136, 256, 168
Options[]=64, 176, 256, 208
Credits[]=64, 216, 256, 248
ExitGame[]=64, 256, 256, 288

[EscMenu]
ResumeGame[]=64, 96, 256, 128
SaveGame[]=64, 136, 256, 168
LoadGame[]=64, 176, 256, 208
Options[]=64, 216, 256, 248
ExitMM[]=64, 256, 256, 288
";

/// The packed `menus.reg`, for `menus.res`.
pub fn menus() -> Result<Vec<u8>, FormatError> {
    Reg::from_ini(MENUS.as_bytes())?.write()
}

const MUSIC: &str = "\
[common]
MainMenu[]=\"island01\"
Credits[]=\"island02\"

[gipat]
CalmOpen[]=\"island01\", \"island03\"
CalmDungeon[]=\"island04\"
Combat[]=\"island05\"
Briefing[]=\"island02\"
";

/// The packed `music.reg`.
pub fn music() -> Result<Vec<u8>, FormatError> {
    Reg::from_ini(MUSIC.as_bytes())?.write()
}

/// Kinds of ground as the game numbers them; what else it stores of each is not known.
const TILE_KINDS: &str = "\
[grass]
Type=0
[ground]
Type=1
[sand]
Type=3
[rock]
Type=4
[field]
Type=5
[water]
Type=6
[road]
Type=7
[snow]
Type=9
[dry grass]
Type=11
";

/// The files of `aiinfo.res`.
pub fn ai_info() -> Result<Files, FormatError> {
    let kinds = Reg::from_ini(TILE_KINDS.as_bytes())?.write()?;
    Ok(vec![("tileDesc.reg".to_owned(), kinds)])
}
