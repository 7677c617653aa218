//! The 154 known nodes of a MOB file: id, name and type of value, in one table.
//!
//! Document: Evil Islands dossier, section 11.3. Names are spelled as in the originals, errors included.

use super::ValueType;

/// What is known of a node by its id.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NodeKind {
    /// The id.
    pub id: u32,
    /// Its name, in capitals.
    pub name: &'static str,
    /// What a node with this id holds.
    pub value_type: ValueType,
}

impl NodeKind {
    /// The kind with this id.
    pub fn from_id(id: u32) -> Option<&'static Self> {
        let idx = NODE_KINDS.binary_search_by_key(&id, |kind| kind.id).ok()?;
        NODE_KINDS.get(idx)
    }

    /// The kind with this name, whatever its case.
    pub fn named(name: &str) -> Option<&'static Self> {
        let is_it = |kind: &&Self| kind.name.eq_ignore_ascii_case(name);
        NODE_KINDS.iter().find(is_it)
    }
}

macro_rules! node_kinds {
    ($($id:literal $ty:ident $name:ident $(: $doc:literal)?;)*) => {
        $(
            #[doc = concat!("`", stringify!($name), "`, a ", stringify!($ty), ".", $(" ", $doc)?)]
            pub const $name: u32 = $id;
        )*

        /// All known nodes, in order of their ids.
        pub const NODE_KINDS: &[NodeKind] = &[$(NodeKind {
            id: $id,
            name: stringify!($name),
            value_type: ValueType::$ty,
        }),*];
    };
}

node_kinds! {
    0x0000_0000 Record ROOT: "The root of no known file.";
    0x0000_1E00 Record VSS_SECTION: "The visual script; editors copy it as it is.";
    0x0000_1E01 Record VSS_TRIGER;
    0x0000_1E02 Record VSS_CHECK;
    0x0000_1E03 Record VSS_PATH;
    0x0000_1E04 Dword VSS_ID: "A remark in one source suspects a byte.";
    0x0000_1E05 Rectangle VSS_RECT;
    0x0000_1E06 Dword VSS_SRC_ID;
    0x0000_1E07 Dword VSS_DST_ID;
    0x0000_1E08 String VSS_TITLE;
    0x0000_1E09 String VSS_COMMANDS;
    0x0000_1E0A Byte VSS_ISSTART;
    0x0000_1E0B Record VSS_LINK;
    0x0000_1E0C String VSS_GROUP;
    0x0000_1E0D Byte VSS_IS_USE_GROUP;
    0x0000_1E0E Record VSS_VARIABLE;
    0x0000_1E0F StringArray VSS_BS_CHECK;
    0x0000_1E10 StringArray VSS_BS_COMMANDS;
    0x0000_1E11 String VSS_CUSTOM_SRIPT;
    0x0000_A000 Record OBJECTDBFILE: "The root of a file.";
    0x0000_AA00 Null LIGHT_SECTION: "Never met.";
    0x0000_AA01 Record LIGHT;
    0x0000_AA02 Float LIGHT_RANGE: "Meters.";
    0x0000_AA03 String LIGHT_NAME;
    0x0000_AA04 Plot LIGHT_POSITION: "World meters, absolute height.";
    0x0000_AA05 Dword LIGHT_ID;
    0x0000_AA06 Byte LIGHT_SHADOW;
    0x0000_AA07 Plot LIGHT_COLOR: "Red, green, blue, 0 to 1.";
    0x0000_AA08 String LIGHT_COMMENTS;
    0x0000_ABD0 Record WORLD_SET: "Settings of the world, in base maps.";
    0x0000_ABD1 Plot WS_WIND_DIR;
    0x0000_ABD2 Float WS_WIND_STR;
    0x0000_ABD3 Float WS_TIME: "Time of day, in hours as it seems.";
    0x0000_ABD4 Float WS_AMBIENT;
    0x0000_ABD5 Float WS_SUN_LIGHT;
    0x0000_B000 Record OBJECTSECTION: "Holds all that is placed on the map.";
    0x0000_B001 Record OBJECT: "A placed object.";
    0x0000_B002 Dword NID: "Unique number on the map, which lies in a `RANGE`.";
    0x0000_B003 Dword OBJTYPE: "50 human, 51 animal, 52 monster, 54 plain object, 58 torch, 59 magic trap, 60 lever.";
    0x0000_B004 String OBJNAME;
    0x0000_B005 Null OBJINDEX;
    0x0000_B006 String OBJTEMPLATE: "Name of the model, without its ending.";
    0x0000_B007 String OBJPRIMTXTR: "Primary texture, without its ending.";
    0x0000_B008 String OBJSECTXTR: "Secondary texture, without its ending.";
    0x0000_B009 Plot OBJPOSITION: "World meters; the height counts from the ground.";
    0x0000_B00A Quaternion OBJROTATION: "Active rotation: w, x, y, z.";
    0x0000_B00B Null OBJTEXTURE;
    0x0000_B00C Plot OBJCOMPLECTION: "Dexterity, strength, height.";
    0x0000_B00D StringArray OBJBODYPARTS: "Visible parts; empty = all.";
    0x0000_B00E String PARENTTEMPLATE;
    0x0000_B00F String OBJCOMMENTS;
    0x0000_B010 Null OBJ_DEF_LOGIC;
    0x0000_B011 Byte OBJ_PLAYER: "Row of the diplomacy table, 0 to 31.";
    0x0000_B012 Dword OBJ_PARENT_ID: "`0xFFFF_FFFF` = none.";
    0x0000_B013 Byte OBJ_USE_IN_SCRIPT;
    0x0000_B014 Byte OBJ_IS_SHADOW;
    0x0000_B015 Null OBJ_R;
    0x0000_B016 String OBJ_QUEST_INFO;
    0x0000_C000 Null SC_OBJECTDBFILE: "Marks a base map.";
    0x0000_CC00 Null SOUND_SECTION: "Never met.";
    0x0000_CC01 Record SOUND;
    0x0000_CC02 Dword SOUND_ID;
    0x0000_CC03 Plot SOUND_POSITION: "World meters, absolute height.";
    0x0000_CC04 Dword SOUND_RANGE;
    0x0000_CC05 String SOUND_NAME;
    0x0000_CC06 Dword SOUND_MIN;
    0x0000_CC07 Dword SOUND_MAX;
    0x0000_CC08 String SOUND_COMMENTS;
    0x0000_CC09 Null SOUND_VOLUME;
    0x0000_CC0A StringArray SOUND_RESNAME: "Sound files.";
    0x0000_CC0B Dword SOUND_RANGE2;
    0x0000_CC0D Byte SOUND_AMBIENT;
    0x0000_CC0E Byte SOUND_IS_MUSIC;
    0x0000_D000 Null PR_OBJECTDBFILE: "Marks a quest map.";
    0x0000_DD00 Null PARTICL_SECTION: "Never met.";
    0x0000_DD01 Record PARTICL;
    0x0000_DD02 Dword PARTICL_ID;
    0x0000_DD03 Plot PARTICL_POSITION: "World meters, absolute height.";
    0x0000_DD04 String PARTICL_COMMENTS;
    0x0000_DD05 String PARTICL_NAME;
    0x0000_DD06 Dword PARTICL_TYPE: "See [`particle_type_name`](super::view::particle_type_name).";
    0x0000_DD07 Float PARTICL_SCALE;
    0x0000_E000 Record DIRICTORY: "Folders of the editor.";
    0x0000_E001 Record FOLDER;
    0x0000_E002 String DIR_NAME;
    0x0000_E003 Dword DIR_NINST;
    0x0000_E004 Dword DIR_PARENT_FOLDER;
    0x0000_E005 Byte DIR_TYPE;
    0x0000_F000 Record DIRICTORY_ELEMENTS;
    0x0000_FF00 Record SEC_RANGE: "Ranges of numbers in quest maps.";
    0x0000_FF01 Record MAIN_RANGE: "Ranges of numbers in base maps.";
    0x0000_FF02 Record RANGE;
    0x0000_FF05 Dword MIN_ID;
    0x0000_FF06 Dword MAX_ID;
    0x3141_5926 AiGraph AIGRAPH: "The movement graph, below the root or beside it.";
    0xACCE_ECCA String SS_TEXT_OLD: "Script in plain text.";
    0xACCE_ECCB Script SS_TEXT: "Script of the level.";
    0xBBAB_0000 Record MAGIC_TRAP;
    0xBBAB_0001 Dword MT_DIPLOMACY;
    0xBBAB_0002 String MT_SPELL;
    0xBBAB_0003 AreaArray MT_AREAS: "Circles that set the trap off.";
    0xBBAB_0004 PointArray MT_TARGETS: "Points that it casts at.";
    0xBBAB_0005 Dword MT_CAST_INTERVAL;
    0xBBAC_0000 Record LEVER;
    0xBBAC_0001 Null LEVER_SCIENCE_STATS;
    0xBBAC_0002 Byte LEVER_CUR_STATE;
    0xBBAC_0003 Byte LEVER_TOTAL_STATE: "Number of states.";
    0xBBAC_0004 Byte LEVER_IS_CYCLED;
    0xBBAC_0005 Byte LEVER_CAST_ONCE: "Despite its name a child of `MAGIC_TRAP`.";
    0xBBAC_0006 LeverStats LEVER_SCIENCE_STATS_NEW;
    0xBBAC_0007 Byte LEVER_IS_DOOR;
    0xBBAC_0008 Byte LEVER_RECALC_GRAPH;
    0xBBBB_0000 Record UNIT;
    0xBBBB_0001 Null UNIT_R;
    0xBBBB_0002 String UNIT_PROTOTYPE: "Name in the database of units.";
    0xBBBB_0003 Null UNIT_ITEMS;
    0xBBBB_0004 UnitStats UNIT_STATS: "Statistics of the unit, 172 bytes.";
    0xBBBB_0005 StringArray UNIT_QUEST_ITEMS;
    0xBBBB_0006 StringArray UNIT_QUICK_ITEMS;
    0xBBBB_0007 StringArray UNIT_SPELLS;
    0xBBBB_0008 StringArray UNIT_WEAPONS;
    0xBBBB_0009 StringArray UNIT_ARMORS;
    0xBBBB_000A Byte UNIT_NEED_IMPORT: "Whether the stats of this file are used.";
    0xBBBC_0000 Record UNIT_LOGIC: "Behavior; five a unit, the first is in use.";
    0xBBBC_0001 Null UNIT_LOGIC_AGRESSIV;
    0xBBBC_0002 Byte UNIT_LOGIC_CYCLIC;
    0xBBBC_0003 Dword UNIT_LOGIC_MODEL: "0 idle, 1 guard radius, 2 path, 3 place, 4 briefing, 5 guard alarm.";
    0xBBBC_0004 Float UNIT_LOGIC_GUARD_R: "Meters.";
    0xBBBC_0005 Plot UNIT_LOGIC_GUARD_PT;
    0xBBBC_0006 Byte UNIT_LOGIC_NALARM;
    0xBBBC_0007 Byte UNIT_LOGIC_USE;
    0xBBBC_0008 Null UNIT_LOGIC_REVENGE;
    0xBBBC_0009 Null UNIT_LOGIC_FEAR;
    0xBBBC_000A Float UNIT_LOGIC_WAIT: "In fifteenths of a second.";
    0xBBBC_000B Byte UNIT_LOGIC_ALARM_CONDITION;
    0xBBBC_000C Float UNIT_LOGIC_HELP: "Radius of calls for help, meters.";
    0xBBBC_000D Byte UNIT_LOGIC_ALWAYS_ACTIVE;
    0xBBBC_000E Byte UNIT_LOGIC_AGRESSION_MODE: "0 attack, 1 revenge, 2 fear, 3 fear of the player.";
    0xBBBD_0000 Record GUARD_PT: "A point of a patrol, child of `UNIT_LOGIC`.";
    0xBBBD_0001 Plot GUARD_PT_POSITION: "World meters, absolute height.";
    0xBBBD_0002 Null GUARD_PT_ACTION;
    0xBBBE_0000 Record ACTION_PT: "A point to look at, child of `GUARD_PT`.";
    0xBBBE_0001 Plot ACTION_PT_LOOK_PT: "World meters, absolute height.";
    0xBBBE_0002 Dword ACTION_PT_WAIT_SEG;
    0xBBBE_0003 Dword ACTION_PT_TURN_SPEED;
    0xBBBE_0004 Byte ACTION_PT_FLAGS;
    0xBBBF_0000 Record TORCH;
    0xBBBF_0001 Float TORCH_STRENGHT;
    0xBBBF_0002 Plot TORCH_PTLINK: "Where the flame is; in whose axes is not known.";
    0xBBBF_0003 String TORCH_SOUND;
    0xDDDD_DDD1 Record DIPLOMATION;
    0xDDDD_DDD2 Diplomacy DIPLOMATION_FOF: "32 x 32 relations.";
    0xDDDD_DDD3 StringArray DIPLOMATION_PL_NAMES: "Names of the 32 players.";
    0xFFFF_FFFF Raw UNKNOWN: "What one source calls a node without a meaning.";
}
