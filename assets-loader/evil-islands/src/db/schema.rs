//! Which tables each database has, and which columns each table (dossier section 6.4).

/// A database, by its file.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum DbKind {
    /// `*.idb`.
    Items,
    /// `*.ldb`. The default, as the smallest.
    #[default]
    Levers,
    /// `*.pdb`: perks and skills.
    Perks,
    /// `prints.db`.
    Prints,
    /// `*.sdb`.
    Spells,
    /// `*.udb`.
    Units,
    /// `acks.db`: voice responses.
    Acks,
    /// `*.qdb`.
    Quests,
}

/// A table: its name, the type of each column as a letter, and names of columns.
#[derive(Debug)]
pub struct TableSchema {
    /// Its name.
    pub name: &'static str,
    /// A letter for each column.
    pub format: &'static str,
    /// Columns whose names are known.
    pub fields: &'static [(u8, &'static str)],
}

/// The type of a column or of a part of one (dossier section 6.3).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FieldType {
    /// `S`.
    Text,
    /// `I`.
    Int,
    /// `U`.
    Uint,
    /// `F`.
    Float,
    /// `B`.
    Bool,
    /// `b`.
    Bools,
    /// `f`.
    Floats,
    /// `i`.
    Ints,
    /// `X`.
    Flags,
    /// `T`.
    Time,
    /// `H`.
    Raw,
    /// `0`.
    Undeclared,
    /// `s`.
    Texts,
    /// `1`, `2`, `3`: parts of these types, in this order.
    Parts(Parts),
    /// `4`: records of parts.
    Responses,
    /// `5`: as `4`, with one part more.
    ResponsesWithNumber,
    /// A record of those.
    Response,
}

/// A sub-record of parts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Parts {
    /// `1`: a float and two integers, ids 1 to 3.
    Print,
    /// `2`: a text, an integer without sign, two floats, ids 0 to 3.
    BodyPart,
    /// `3`: four floats, ids 0 to 3.
    Loot,
}

impl Parts {
    /// The id of the first part, and a letter for each.
    pub const fn format(self) -> (u8, &'static str) {
        match self {
            Self::Print => (1, "FII"),
            Self::BodyPart => (0, "SUFF"),
            Self::Loot => (0, "FFFF"),
        }
    }
}

/// How many bytes a type takes.
#[derive(Debug, Clone, Copy)]
pub(super) enum Size {
    Exactly(usize),
    MultipleOf(usize),
}

impl Size {
    pub fn fits(self, len: usize) -> bool {
        match self {
            Self::Exactly(size) => len == size,
            Self::MultipleOf(size) => len.is_multiple_of(size),
        }
    }
}

impl FieldType {
    /// The type that a letter of a format string stands for.
    const fn from_letter(letter: u8) -> Self {
        match letter {
            b'S' => Self::Text,
            b'I' => Self::Int,
            b'U' => Self::Uint,
            b'F' => Self::Float,
            b'B' => Self::Bool,
            b'b' => Self::Bools,
            b'f' => Self::Floats,
            b'i' => Self::Ints,
            b'X' => Self::Flags,
            b'T' => Self::Time,
            b'H' => Self::Raw,
            b's' => Self::Texts,
            b'1' => Self::Parts(Parts::Print),
            b'2' => Self::Parts(Parts::BodyPart),
            b'3' => Self::Parts(Parts::Loot),
            b'4' => Self::Responses,
            b'5' => Self::ResponsesWithNumber,
            _ => Self::Undeclared,
        }
    }

    /// The type of a column; `None` if there is none of that number.
    pub fn from_column(format: &str, id: u8) -> Option<Self> {
        let letter = format.as_bytes().get(usize::from(id))?;
        Some(Self::from_letter(*letter))
    }

    /// The type of a part of a voice response.
    pub(super) fn from_response_part(id: u8) -> Self {
        match id {
            1 | 3 | 4 => Self::Text,
            10 => Self::Uint,
            _ => Self::Int,
        }
    }

    /// The letter in format strings; that of its list for a voice response.
    pub const fn letter(self) -> char {
        match self {
            Self::Text => 'S',
            Self::Int => 'I',
            Self::Uint => 'U',
            Self::Float => 'F',
            Self::Bool => 'B',
            Self::Bools => 'b',
            Self::Floats => 'f',
            Self::Ints => 'i',
            Self::Flags => 'X',
            Self::Time => 'T',
            Self::Raw => 'H',
            Self::Undeclared => '0',
            Self::Texts => 's',
            Self::Parts(Parts::Print) => '1',
            Self::Parts(Parts::BodyPart) => '2',
            Self::Parts(Parts::Loot) => '3',
            Self::Responses | Self::Response => '4',
            Self::ResponsesWithNumber => '5',
        }
    }

    pub(super) const fn size(self) -> Option<Size> {
        match self {
            Self::Int | Self::Uint | Self::Float | Self::Flags | Self::Time => {
                Some(Size::Exactly(4))
            }
            Self::Bool => Some(Size::Exactly(1)),
            Self::Floats | Self::Ints => Some(Size::MultipleOf(4)),
            _ => None,
        }
    }
}

/// The id and the type of a part at its place in a sub-record; no id behind the last.
pub(super) fn part_type(field: FieldType, place: usize) -> (Option<u8>, FieldType) {
    let FieldType::Parts(parts) = field else {
        return (None, FieldType::Undeclared);
    };
    let (first, format) = parts.format();
    let place = u8::try_from(place).ok();
    let part = place.and_then(|place| Some((place, FieldType::from_column(format, place)?)));
    match part {
        Some((place, part)) => (first.checked_add(place), part),
        None => (None, FieldType::Undeclared),
    }
}

impl DbKind {
    /// All databases.
    pub const ALL: [Self; 8] = [
        Self::Items,
        Self::Levers,
        Self::Perks,
        Self::Prints,
        Self::Spells,
        Self::Units,
        Self::Acks,
        Self::Quests,
    ];

    /// The database of a file, by its ending; two go by their whole name.
    pub fn from_file_name(name: &str) -> Option<Self> {
        let name = name.to_ascii_lowercase();
        match name.as_str() {
            "acks.db" => return Some(Self::Acks),
            "prints.db" => return Some(Self::Prints),
            _ => {}
        }
        let (_, extension) = name.rsplit_once('.')?;
        Some(match extension {
            "idb" => Self::Items,
            "ldb" => Self::Levers,
            "pdb" => Self::Perks,
            "sdb" => Self::Spells,
            "udb" => Self::Units,
            "qdb" => Self::Quests,
            _ => return None,
        })
    }

    /// Short name, as in JSON.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Items => "items",
            Self::Levers => "levers",
            Self::Perks => "perks",
            Self::Prints => "prints",
            Self::Spells => "spells",
            Self::Units => "units",
            Self::Acks => "acks",
            Self::Quests => "quests",
        }
    }

    /// The database of that [`name`](Self::name).
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// Its tables, in file order.
    pub const fn tables(self) -> &'static [TableSchema] {
        match self {
            Self::Items => ITEMS,
            Self::Levers => LEVERS,
            Self::Perks => PERKS,
            Self::Prints => PRINTS,
            Self::Spells => SPELLS,
            Self::Units => UNITS,
            Self::Acks => ACKS,
            Self::Quests => QUESTS,
        }
    }
}

impl TableSchema {
    /// The name of a column: `column 12` where it is not known.
    pub fn field_name(&self, id: u8) -> String {
        let known = self.fields.iter().find(|(known, _)| *known == id);
        known.map_or_else(|| format!("column {id}"), |(_, name)| (*name).to_owned())
    }
}

/// The columns that all items but materials begin with, and those of one table.
macro_rules! item_fields {
    ($($field:expr),* $(,)?) => {
        &[
            (0, "name"), (1, "type"), (2, "type id"), (3, "material type"), (5, "texture type 1"),
            (6, "texture type 2"), (7, "price"), (8, "weight"), (9, "size"), (10, "mana"), (11, "slots"),
            (12, "durability"), (13, "components"), (14, "shops"), (15, "deconstructable"), $($field),*
        ]
    };
}

#[rustfmt::skip]
const ITEMS: &[TableSchema] = &[
    TableSchema { name: "materials", format: "SSSIFFFIFIFfIX", fields: &[
        (0, "name"), (1, "type"), (2, "code"), (3, "id"), (4, "price"), (5, "weight"), (6, "mana"), (7, "slots"),
        (8, "durability"), (9, "skill"), (10, "damage"),
        (11, "piercing, slashing, bludgeoning, thermal, chemical, electrical, general"), (13, "shops"),
    ] },
    TableSchema { name: "weapons", format: "SSISIIIFFFFIFIXB00000IHFFFfHHFF", fields: item_fields![
        (21, "actions"), (23, "range"), (24, "min damage"), (25, "max damage"),
        (26, "damage: piercing, slashing, bludgeoning, thermal, chemical, electrical, general"),
        (29, "attack"), (30, "defence"),
    ] },
    TableSchema { name: "armors", format: "SSISIIIFFFFIFIXB00000ffBiHH", fields: item_fields![
        (21, "absorption and kinds 1"), (22, "absorption and kinds 2"), (23, "apply wounds"), (24, "wear order"),
    ] },
    TableSchema { name: "quick items", format: "SSISIIIFFFFIFIXB00000IIFFSbH", fields: item_fields![
        (21, "item id"), (22, "graphics level"), (23, "damage"), (25, "spell"),
        (26, "science modifier, stealing modifier"),
    ] },
    TableSchema { name: "quest items", format: "SSISIIIFFFFIFIXB00000Is", fields: item_fields![
        (21, "script id"), (22, "zones"),
    ] },
    TableSchema { name: "loot items", format: "SSISIIIFFFFIFIXB00000IHI", fields: item_fields![(21, "loot type id")] },
];

#[rustfmt::skip]
const LEVERS: &[TableSchema] = &[
    TableSchema { name: "lever prototypes", format: "SfIFTSSS", fields: &[
        (0, "name"), (1, "place 1 a, b, place 2 a, b"), (3, "scale"), (4, "switch time"), (5, "material"),
        (6, "switch sound"), (7, "lever text"),
    ] },
];

#[rustfmt::skip]
const PERKS: &[TableSchema] = &[
    TableSchema { name: "skills", format: "SSI0000000s", fields: &[
        (0, "name"), (1, "code"), (2, "texture type"), (10, "base attributes"),
    ] },
    TableSchema { name: "perks", format: "SSI0000000SSIIIFFFIIIIBI", fields: &[
        (0, "name"), (1, "code"), (2, "texture type"), (10, "required perk"), (11, "skill type"),
        (12, "skill type id"), (14, "SL"), (15, "strength"), (16, "dexterity"), (17, "intelligence"), (18, "cost"),
        (19, "modifier"), (20, "multiplier"), (21, "add"), (22, "active"), (23, "exclusive"),
    ] },
];

#[rustfmt::skip]
const PRINTS: &[TableSchema] = &[
    TableSchema { name: "blood prints", format: "0S11", fields: &[
        (1, "terrain type"), (2, "clear weather"), (3, "precipitation"),
    ] },
    TableSchema { name: "fire prints", format: "0S110000001", fields: &[
        (1, "terrain type"), (2, "clear weather"), (3, "precipitation"), (10, "opacity, lifetime, fade-out"),
    ] },
    TableSchema { name: "footprints", format: "0S11", fields: &[
        (1, "terrain type"), (2, "clear weather"), (3, "precipitation"),
    ] },
];

/// Columns of the three tables of templates.
const TEMPLATE_FIELDS: &[(u8, &str)] = &[
    (1, "prototype"),
    (2, "required"),
    (3, "optional"),
    (4, "power"),
    (5, "shops"),
];

#[rustfmt::skip]
const SPELLS: &[TableSchema] = &[
    TableSchema { name: "prototypes", format: "SSSFIFIFFFFIIIIUSSIIbIXFFFFF", fields: &[
        (0, "name"), (1, "code"), (2, "subtype"), (3, "price"), (4, "type id"), (5, "mana"), (6, "slots"),
        (7, "speed"), (8, "range"), (9, "area"), (10, "effect"), (11, "target"), (12, "targets"), (13, "duration"),
        (14, "actions"), (15, "require trace"), (16, "built-in mods"), (17, "special mods"), (18, "texture type"),
        (19, "subtype id"), (20, "range, targets, area, effects, duration mod"), (21, "complexity"), (22, "shops"),
        (23, "red"), (24, "green"), (25, "blue"), (26, "light radius"), (27, "fade-out time"),
    ] },
    TableSchema { name: "modifiers", format: "SSFIFFISX", fields: &[
        (0, "name"), (1, "code"), (2, "price"), (3, "type"), (4, "mana"), (5, "value"), (6, "complexity"),
        (7, "allod"), (8, "shops"),
    ] },
    TableSchema { name: "templates", format: "0SssSX", fields: TEMPLATE_FIELDS },
    TableSchema { name: "armor templates", format: "0SssSX", fields: TEMPLATE_FIELDS },
    TableSchema { name: "weapon templates", format: "0SssSX", fields: TEMPLATE_FIELDS },
];

#[rustfmt::skip]
const UNITS: &[TableSchema] = &[
    TableSchema { name: "hit locations", format: "SffUU", fields: &[
        (0, "name"), (1, "kinds 1"), (2, "kinds 2"),
    ] },
    TableSchema { name: "race models", format: "SUFFUUFfFUUf222222000000000000SssFSsfUUfUUIUSBFUUUU", fields: &[
        (0, "name"), (1, "type id"), (2, "health regen"), (3, "mana regen"), (4, "language"), (5, "locomotion"),
        (6, "vision arc"), (7, "run, walk, sneak, crawl speed"), (8, "attack distance"), (9, "AI stay"),
        (10, "AI lie"), (11, "attack kinds"), (12, "head"), (13, "torso"), (14, "right arm"), (15, "left arm"),
        (16, "right leg"), (17, "left leg"), (30, "mask name"), (31, "textures"), (32, "textures 2"),
        (33, "model shift"), (34, "SFX path"), (35, "steps path"),
        (36, "animation speeds: attack, cast, hit, death, cross, special"), (37, "idle sound probability"),
        (38, "attack sound probability"), (39, "defence kinds"), (40, "blood type"), (41, "cast type"),
        (42, "footprint type"), (43, "leg segment"), (44, "skin type"), (45, "first step right"), (46, "head height"),
    ] },
    TableSchema { name: "monster prototypes", format: "SSIUIFFFSFFFFFFFFFUFFFFFFff33sfssSFFFFFUFUSF", fields: &[
        (0, "name"), (1, "base race"), (3, "skin index"), (4, "hair"), (5, "complection X"), (6, "complection Y"),
        (7, "complection Z"), (9, "HP"), (10, "mana"), (11, "absorption"), (12, "tuning actions"),
        (13, "tuning move"), (14, "attack range"), (15, "to hit"), (16, "parry"), (17, "weapon weight"),
        (18, "weapon type id"), (19, "damage min"), (20, "damage max"), (21, "general skills"), (22, "steal"),
        (23, "tame"), (24, "peripheral"), (25, "senses: sight, infra, life, hearing, smell, tracking"),
        (26, "detect: sight, infra, life, hearing, smell, tracking"), (27, "loot: chance, mask, min, max"),
        (28, "rare loot: chance, mask, min, max"), (29, "items"), (30, "elemental, senses, astral"), (31, "spells"),
        (32, "wears"), (33, "weapon"), (34, "info scale"), (35, "altitude"), (36, "random hit"),
        (37, "dialog camera distance"), (38, "dialog camera height"), (39, "real weapon type id"),
        (40, "detonation"), (41, "base level"), (42, "second weapon"), (43, "experience"),
    ] },
    TableSchema { name: "NPCs", format: "SUFFFFbbssssFUB", fields: &[
        (0, "name"), (2, "experience"), (3, "strength"), (4, "dexterity"), (5, "intelligence"), (6, "skills 1"),
        (7, "skills 2"), (8, "perks"), (9, "weapons"), (10, "quest items"), (11, "spells"), (12, "exp to distribute"),
        (13, "money"), (14, "voice"),
    ] },
];

#[rustfmt::skip]
const ACKS: &[TableSchema] = &[
    // 33 names are known for the 35 lists of voice responses, and their order cannot be trusted: none is given.
    TableSchema { name: "answers", format: "0S0000000044444444444444444444445444444444444", fields: &[(1, "name")] },
    TableSchema { name: "cries", format: "0S0000000044444", fields: &[
        (1, "name"), (10, "aggression"), (11, "suspect"), (12, "kill"), (13, "rest"), (14, "in aggression"),
    ] },
    TableSchema { name: "others", format: "0S0000000044", fields: &[(1, "name"), (10, "talk"), (11, "rest")] },
];

#[rustfmt::skip]
const QUESTS: &[TableSchema] = &[
    TableSchema { name: "quests", format: "SFIISIIs", fields: &[
        (0, "name"), (1, "experience"), (3, "zone number"), (4, "comment"), (5, "money"), (6, "record number"),
    ] },
    TableSchema { name: "briefings", format: "SFFsSsssssI", fields: &[
        (0, "name"), (2, "money"), (3, "give items"), (4, "comment"), (5, "take items"), (6, "give quests 1"),
        (7, "give quests 2"), (8, "open zones"), (10, "bonus number"),
    ] },
];
