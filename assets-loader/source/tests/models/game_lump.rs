//! The game lump of each map.

use ironlands_assets_source::bsp::LumpId;
use ironlands_assets_source::bsp::game_lump::{DetailProps, GameLump, PropLayout, SubLumpId};
use libtest_mimic::Failed;

use super::{Subject, same};

pub(super) fn round_trip(subject: &Subject) -> Result<(), Failed> {
    let stored = subject.file.lump(LumpId::GameLump);
    let offset = u64::from(subject.file.lump_offset(LumpId::GameLump));
    same(
        "bytes",
        subject.game_lump.write(offset)?.as_slice() == stored,
        true,
    )?;
    let props = subject
        .game_lump
        .find(SubLumpId::STATIC_PROPS)
        .ok_or("no props")?;
    same(
        "bytes of props",
        subject.props.write()?.as_slice() == props.stored(),
        true,
    )?;
    let mut again = subject.game_lump.clone();
    again.set_static_props(&subject.props)?;
    same("the same props", &again, &subject.game_lump)?;
    let details = subject.game_lump.detail_props()?;
    same("detail props", details, Some(DetailProps::default()))
}

/// Only the two offsets of the directory change with the place of the lump.
pub(super) fn moves(subject: &Subject) -> Result<(), Failed> {
    let offset = u64::from(subject.file.lump_offset(LumpId::GameLump));
    let mut expected = subject.file.lump(LumpId::GameLump).to_vec();
    for row in 0..subject.game_lump.sub_lumps().len() {
        let field = 4 + row * 16 + 8..4 + row * 16 + 12;
        let word = u32::from_le_bytes(expected[field.clone()].try_into()?);
        expected[field].copy_from_slice(&(word - offset as u32 + 0x1234).to_le_bytes());
    }
    let moved = subject.game_lump.write(0x1234)?;
    same("bytes", moved == expected, true)?;
    same("lump", &GameLump::read(&moved, 0x1234)?, &subject.game_lump)
}

pub(super) fn props(subject: &Subject) -> Result<(), Failed> {
    let props = &subject.props;
    let counts = (
        props.version,
        props.props.len(),
        props.models.len(),
        props.leaves.len(),
    );
    same(
        "version, props, models, leaves",
        counts,
        subject.expected.props,
    )?;
    let layout = match counts.0 {
        5 => PropLayout::V5,
        6 => PropLayout::V6,
        10 => PropLayout::Sdk2013,
        _ => PropLayout::V13,
    };
    same("layout", props.layout, layout)?;
    for model in &props.models {
        let path = model.path().to_lowercase();
        same(
            "a path",
            path.starts_with("models/") && path.ends_with(".mdl"),
            true,
        )?;
    }
    let n_leaves = subject.map.leaves.len();
    same(
        "leaves exist",
        props.leaves.iter().all(|leaf| (*leaf as usize) < n_leaves),
        true,
    )?;
    for prop in &props.props {
        let world = subject.map.models[0];
        for axis in 0..3 {
            let range = world.mins[axis] - 256.0..=world.maxs[axis] + 256.0;
            same(
                "stands in the world",
                range.contains(&prop.origin[axis]),
                true,
            )?;
        }
        same("solid", [0, 2, 6].contains(&prop.solid), true)?;
        same(
            "has leaves",
            props.leaves_of(prop).len(),
            usize::from(prop.n_leaves),
        )?;
        if layout == PropLayout::Sdk2013 {
            same("leftover", prop.byte_1f, 0x6C)?;
            let flags = prop.flags(layout);
            same("flags", [0x100, 0x110, 0x112].contains(&flags), true)?;
        }
    }
    Ok(())
}
