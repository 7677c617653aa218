//! The tables of what moves a model.

use super::{
    Animation, BlendParameter, DECLARED, Motion, Place, PoseParameter, Sequence, SequenceEvent,
    SequenceLayer,
};
use crate::mdl::Mdl;
use crate::mdl::tables::{field_at, table};
use crate::studio_file::{File, text_of};
use ironlands_assets_core::bytes::{FormatError, Reader};

/// Animation flag: stored frame by frame, as version 49 can have it.
const FRAME_BY_FRAME: u32 = 0x40;
/// Bytes of rows.
const ANIMATION_SIZE: usize = 100;
const SECTION_SIZE: usize = 8;
const SEQUENCE_SIZE: usize = 212;
const EVENT_SIZE: usize = 80;
const POSE_PARAMETER_SIZE: usize = 20;
const INCLUDE_SIZE: usize = 8;
const BLOCK_SIZE: usize = 8;
/// Where counts and offsets of tables stand in the header.
const ANIMATIONS_AT: usize = 0xB4;
const SEQUENCES_AT: usize = 0xBC;
const POSE_PARAMETERS_AT: usize = 0x12C;
const INCLUDES_AT: usize = 0x150;
const BLOCKS_AT: usize = 0x15C;
/// More frames than any game has in an animation.
const MAX_FRAMES: i32 = 1 << 16;

/// Reads all tables.
pub(super) fn read(file: &File<'_>, mdl: &Mdl) -> Result<Motion, FormatError> {
    let animations = table(
        file,
        "animations",
        (ANIMATIONS_AT, ANIMATION_SIZE),
        |r, at| animation(file, r, at),
    )?;
    let pose_parameters = table(
        file,
        "pose parameters",
        (POSE_PARAMETERS_AT, POSE_PARAMETER_SIZE),
        |r, at| pose_parameter(file, r, at),
    )?;
    let n_sequences = field_at(file, SEQUENCES_AT)?.i32("sequences")?;
    let counts = Counts {
        n_animations: animations.len(),
        n_parameters: pose_parameters.len(),
        n_bones: mdl.bones.len(),
        n_sequences: usize::try_from(n_sequences).unwrap_or(0),
    };
    let sequences = table(file, "sequences", (SEQUENCES_AT, SEQUENCE_SIZE), |r, at| {
        sequence(file, r, at, counts)
    })?;
    let includes = table(
        file,
        "included models",
        (INCLUDES_AT, INCLUDE_SIZE),
        |r, at| {
            r.i32("included model label")?;
            let path = file.take_text(r, "included model", at)?;
            Ok(path.text().replace('\\', "/"))
        },
    )?;
    let mut r = field_at(file, BLOCKS_AT)?;
    let n_blocks = r
        .clone()
        .sub("animation blocks", 4, 4)?
        .i32("animation blocks")?;
    let block_file = match n_blocks {
        0 => String::new(),
        _ => (file.take_text(&mut r, "animation block file", 0)?.text()).replace('\\', "/"),
    };
    let blocks = table(
        file,
        "animation blocks",
        (BLOCKS_AT.saturating_add(4), BLOCK_SIZE),
        |r, _| {
            Ok([
                r.i32("animation block start")?,
                r.i32("animation block end")?,
            ])
        },
    )?;
    Ok(Motion {
        animations,
        sequences,
        pose_parameters,
        includes,
        block_file,
        blocks,
    })
}

/// What numbers of a sequence may count.
#[derive(Debug, Clone, Copy)]
struct Counts {
    n_animations: usize,
    n_parameters: usize,
    n_bones: usize,
    n_sequences: usize,
}

fn animation(file: &File<'_>, r: &mut Reader<'_>, at: usize) -> Result<Animation, FormatError> {
    r.i32("animation base")?;
    let name = file.take_text(r, "animation name", at)?.text().into_owned();
    let fps = r.f32("animation rate")?;
    let flags = r.u32("animation flags")?;
    let at_count = r.clone();
    let n_frames = r.i32("animation frames")?;
    if !(1..=MAX_FRAMES).contains(&n_frames) {
        let expected = format!("1 to {MAX_FRAMES}");
        return Err(at_count.unexpected("animation frames", expected, n_frames));
    }
    r.bytes("animation movements", 32)?;
    let block = r.i32("animation block")?;
    let offset = r.i32("animation offset")?;
    r.bytes("animation rules", 20)?;
    let at_sections = r.clone();
    let sections_offset = r.i32("animation sections")?;
    let section_frames = r.i32("animation section frames")?;
    // From the record itself, but within an animation block from the start of that.
    let place = |block: i32, offset: i32| {
        let from = if block == 0 { at as i64 } else { 0 };
        Place {
            block,
            offset: from.saturating_add(offset.into()),
        }
    };
    let section_frames = usize::try_from(section_frames).unwrap_or(0);
    let places = match (n_frames as usize).checked_div(section_frames) {
        None => vec![place(block, offset)],
        // One more than runs begin, and one for the last frame alone.
        Some(n_sections) => file.rows(
            &at_sections,
            "animation sections",
            ((n_sections as i32).saturating_add(2), SECTION_SIZE),
            (at, sections_offset),
            |r, _| Ok(place(r.i32("section block")?, r.i32("section offset")?)),
        )?,
    };
    Ok(Animation {
        name,
        fps,
        flags,
        n_frames: n_frames as usize,
        places,
        section_frames,
        is_frame_by_frame: flags & FRAME_BY_FRAME != 0,
    })
}

fn sequence(
    file: &File<'_>,
    r: &mut Reader<'_>,
    at: usize,
    counts: Counts,
) -> Result<Sequence, FormatError> {
    r.i32("sequence base")?;
    let name = file.take_text(r, "sequence name", at)?.text().into_owned();
    let activity = file
        .take_text(r, "sequence activity", at)?
        .text()
        .into_owned();
    let flags = r.u32("sequence flags")?;
    r.bytes("sequence activity", 8)?;
    let at_events = r.clone();
    let n_events = r.i32("sequence events")?;
    let events_offset = r.i32("sequence events")?;
    r.bytes("sequence bounds", 24)?;
    r.i32("sequence blends")?;
    let blends_offset = r.i32("sequence animations")?;
    r.i32("sequence movements")?;
    let at_grid = r.clone();
    let grid = [r.i32("sequence grid")?, r.i32("sequence grid")?];
    let numbers = [r.i32("sequence parameter")?, r.i32("sequence parameter")?];
    let starts = [r.f32("sequence start")?, r.f32("sequence start")?];
    let ends = [r.f32("sequence end")?, r.f32("sequence end")?];
    r.bytes("sequence transitions", 48)?;
    let at_layers = r.clone();
    let n_layers = r.i32("sequence layers")?;
    let layers_offset = r.i32("sequence layers")?;
    let at_weights = r.clone();
    let weights_offset = r.i32("sequence weights")?;
    let at_keys = r.clone();
    let keys_offset = r.i32("sequence pose keys")?;
    r.bytes("sequence locks and keys", 16)?;
    let cycle_parameter = r.i32("sequence cycle parameter")?;
    // A sequence that is only declared has no animations.
    let is_empty = flags & DECLARED != 0 && grid == [0, 0];
    let animations = match is_empty {
        true => Vec::new(),
        false => blends(file, &at_grid, grid, (at, blends_offset), counts)?,
    };
    let events = file.rows(
        &at_events,
        "sequence events",
        (n_events, EVENT_SIZE),
        (at, events_offset),
        |r, at| event(file, r, at),
    )?;
    let layers = file.rows(
        &at_layers,
        "sequence layers",
        (n_layers, SequenceLayer::SIZE),
        (at, layers_offset),
        |r, _| SequenceLayer::read_checked(r, counts.n_sequences),
    )?;
    let weights = match weights_offset {
        0 => vec![1.0; counts.n_bones],
        _ => file.rows(
            &at_weights,
            "sequence weights",
            (i32::try_from(counts.n_bones).unwrap_or(i32::MAX), 4),
            (at, weights_offset),
            |r, _| r.f32("bone weight"),
        )?,
    };
    let pose_keys = match keys_offset {
        0 => Default::default(),
        _ => pose_keys(file, &at_keys, grid, (at, keys_offset))?,
    };
    let known_parameter = |number: i32| {
        let parameter = usize::try_from(number).ok();
        parameter.filter(|it| *it < counts.n_parameters)
    };
    let parameter = |axis: usize| {
        let (number, start, end) = (numbers.get(axis)?, starts.get(axis)?, ends.get(axis)?);
        Some(BlendParameter {
            parameter: known_parameter(*number)?,
            start: *start,
            end: *end,
        })
    };
    Ok(Sequence {
        name,
        activity,
        flags,
        grid: grid.map(|n| n as usize),
        animations,
        parameters: [parameter(0), parameter(1)],
        pose_keys,
        cycle_parameter: known_parameter(cycle_parameter),
        events,
        layers,
        weights,
    })
}

/// The values of both parameters at the animations of a grid; compilers write none of a single animation.
fn pose_keys(
    file: &File<'_>,
    at_keys: &Reader<'_>,
    grid: [i32; 2],
    place: (usize, i32),
) -> Result<[Vec<f32>; 2], FormatError> {
    let [n_columns, n_rows] = grid;
    if n_columns <= 1 && n_rows <= 1 {
        return Ok(Default::default());
    }
    let size = (n_columns.saturating_add(n_rows), size_of::<f32>());
    let mut columns = file.rows(at_keys, "sequence pose keys", size, place, |r, _| {
        r.f32("pose key")
    })?;
    let rows = columns.split_off(columns.len().min(n_columns as usize));
    Ok([columns, rows])
}

/// The numbers of the animations of a grid, row after row.
fn blends(
    file: &File<'_>,
    at_grid: &Reader<'_>,
    grid: [i32; 2],
    place: (usize, i32),
    counts: Counts,
) -> Result<Vec<u16>, FormatError> {
    let [n_columns, n_rows] = grid;
    let n_blends = n_columns
        .checked_mul(n_rows)
        .filter(|_| n_columns > 0 && n_rows > 0);
    let Some(n_blends) = n_blends else {
        return Err(at_grid.unexpected("sequence grid", "counts above 0", format!("{grid:?}")));
    };
    file.rows(
        at_grid,
        "sequence animations",
        (n_blends, 2),
        place,
        |r, _| {
            let at = r.clone();
            let number = r.u16("sequence animation")?;
            match usize::from(number) < counts.n_animations {
                true => Ok(number),
                false => {
                    let expected = format!("an animation below {}", counts.n_animations);
                    Err(at.unexpected("sequence animation", expected, number))
                }
            }
        },
    )
}

fn event(file: &File<'_>, r: &mut Reader<'_>, at: usize) -> Result<SequenceEvent, FormatError> {
    let cycle = r.f32("event cycle")?;
    let number = r.i32("event number")?;
    r.i32("event type")?;
    let options: [u8; 64] = r.array("event options")?;
    let name = file.take_name(r, "event name", at)?;
    Ok(SequenceEvent {
        cycle,
        number,
        name,
        options: text_of(&options),
    })
}

fn pose_parameter(
    file: &File<'_>,
    r: &mut Reader<'_>,
    at: usize,
) -> Result<PoseParameter, FormatError> {
    Ok(PoseParameter {
        name: (file.take_text(r, "pose parameter", at)?.text()).into_owned(),
        flags: r.u32("pose parameter flags")?,
        start: r.f32("pose parameter start")?,
        end: r.f32("pose parameter end")?,
        wraps: r.f32("pose parameter loop")?,
    })
}
