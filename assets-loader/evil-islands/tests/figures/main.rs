//! Models and textures of a real archive made by other people, against the dossier's figures (Evil Islands dossier,
//! sections 0.3 and 13.9).
//!
//! The archive is not ours and is not in the repository. It is looked for in `IRONLANDS_DATA`, else in
//! `../shared/data` beside the checkout; where it is absent each trial is listed as *ignored*.

use std::path::Path;
use std::process::ExitCode;

use ironlands_assets_evil_islands::bon::Bon;
use ironlands_assets_evil_islands::fig::{BoundsConvention, Fig, NormalLayout};
use ironlands_assets_evil_islands::figure::Figure;
use ironlands_assets_evil_islands::lnk::Lnk;
use ironlands_assets_evil_islands::mmp::{MipChain, Mmp, MmpDraft, MmpFormat, PixelRows};
use ironlands_assets_evil_islands::res::ResArchive;
use ironlands_real_data as real_data;
use libtest_mimic::Failed;

/// Where the archive lies below the folder of real data.
const ARCHIVE: &str = "evil-islands/auxData.res";
/// Names of the models; each has a texture but the first.
const MODELS: [&str; 10] = [
    "default",
    "cannotDisplay",
    "light",
    "particle",
    "point",
    "sound",
    "trap",
    "trapCast",
    "trapZone",
    "view",
];
/// Normals of this one stand one after the other (section 9.4.6).
const UNGROUPED: &str = "cannotDisplay";

type Check = fn(&Path) -> Result<(), Failed>;

const TRIALS: [(&str, Check); 8] = [
    ("leaves_are_written_as_they_were_read", leaves),
    ("ten_models_are_put_together", models),
    ("light_and_trap_are_as_measured", measured),
    ("normals_of_one_model_are_ungrouped", ungrouped),
    ("triangles_are_seen_from_outside", winding),
    ("textures_are_as_measured", textures),
    ("textures_go_to_dds_and_back", dds),
    ("blocks_are_fitted_closely", blocks),
];

fn main() -> ExitCode {
    let trials = TRIALS.map(|(name, check)| real_data::trial(name, ARCHIVE, check));
    real_data::run(trials)
}

fn leaves(path: &Path) -> Result<(), Failed> {
    let (mut n_figs, mut n_bons, mut n_lnks, mut n_mmps) = (0, 0, 0, 0);
    for entry in &ResArchive::read(&std::fs::read(path)?)?.entries {
        if entry.name.ends_with(b".mmp") {
            n_mmps += 1;
            same(
                "a texture",
                Mmp::read(&entry.data)?.write()? == *entry.data,
                true,
            )?;
            continue;
        }
        for leaf in &ResArchive::read(&entry.data)?.entries {
            let written = if entry.name.ends_with(b".bon") {
                n_bons += 1;
                Bon::read(&leaf.data)?.write()?
            } else if leaf.data.starts_with(b"FIG") {
                n_figs += 1;
                Fig::read(&leaf.data)?.write()?
            } else {
                n_lnks += 1;
                Lnk::read(&leaf.data)?.write()?
            };
            same(&entry.name_text(), written == *leaf.data, true)?;
        }
    }
    same(
        "meshes, rest positions, trees, textures",
        [n_figs, n_bons, n_lnks, n_mmps],
        [10; 4],
    )
}

fn models(path: &Path) -> Result<(), Failed> {
    for name in MODELS {
        let figure = Figure::open(&path.join(format!("{name}.mod")))?;
        let findings: Vec<_> = figure
            .findings
            .iter()
            .map(|it| it.message.as_str())
            .collect();
        let n_expected = usize::from(name == UNGROUPED || name == "default");
        if findings.len() > n_expected {
            return Err(format!("{name}: {findings:?}").into());
        }
        same(name, figure.parts.len(), 1)?;
        same(name, figure.parts[0].name.as_str(), "mesh")?;
        let bon = figure.parts[0].bon.as_ref().ok_or("no rest position")?;
        same(name, bon.offsets.len(), 8)?;
        let fig = fig_of(&figure)?;
        // Of one that is centered both readings are possible.
        let convention = fig.bounds_convention();
        same(
            name,
            convention == Some(BoundsConvention::FromCenter),
            false,
        )?;
        // Single-state models: all eight states are the same.
        same(name, fig.position(1, [0.0; 3]), fig.position(1, [1.0; 3]))?;
        let again = Figure::read(name, &figure.write_mod()?, &figure.write_bon()?, None, None)?;
        same(name, again == figure, true)?;
    }
    Ok(())
}

fn measured(path: &Path) -> Result<(), Failed> {
    let light = Figure::open(&path.join("light.mod"))?;
    let fig = fig_of(&light)?;
    same("vertices", fig.n_vertices(), 44)?;
    same("components", fig.components.len(), 121)?;
    same("triangles", fig.n_triangles(), 80)?;
    same("group and texture", (fig.group, fig.texture), (18, 8))?;
    let bytes = fig.write()?;
    same("light", (bytes.len(), crc32(&bytes)), (6694, 3_462_531_776))?;
    let first = fig.state_position(0, 0);
    same("a zero below zero", first[0].is_sign_negative(), true)?;
    near("vertex 0", first, [0.0, 0.0, -0.924_332])?;
    near(
        "vertex 1",
        fig.state_position(3, 1),
        [0.668_854, -0.485_945, -0.413_380],
    )?;
    near(
        "vertex 5",
        fig.state_position(7, 5),
        [0.668_854, 0.485_945, -0.413_380],
    )?;
    let radius = fig.bounds([0.5; 3]).radius;
    same("radius", (radius - 1.468_380_6).abs() < 1e-6, true)?;
    let trap = Figure::open(&path.join("trapCast.mod"))?;
    let bytes = fig_of(&trap)?.write()?;
    same(
        "trapCast",
        (bytes.len(), crc32(&bytes)),
        (3232, 2_962_585_135),
    )
}

fn ungrouped(path: &Path) -> Result<(), Failed> {
    for name in MODELS {
        let figure = Figure::open(&path.join(format!("{name}.mod")))?;
        let mut fig = fig_of(&figure)?.clone();
        let bytes = fig.write()?;
        let is_odd = fig
            .check()
            .iter()
            .any(|it| it.message.contains("groups of four"));
        same(
            name,
            (is_odd, fig.regroup_normals()),
            (name == UNGROUPED, name == UNGROUPED),
        )?;
        same(
            name,
            fig.normal_layout == NormalLayout::Ungrouped,
            name == UNGROUPED,
        )?;
        same(name, fig.write()? == bytes, true)?;
        let lengths = fig.components.iter().map(|it| {
            let [x, y, z] = fig.normal(it.normal.into());
            (x * x + y * y + z * z).sqrt()
        });
        let odd: Vec<f32> = lengths
            .filter(|length| (length - 1.0).abs() > 1e-2)
            .collect();
        same(name, odd.len(), 0)?;
    }
    Ok(())
}

/// 3060 of 3062 triangles of the nine sound models look to where their normals point (section 9.4.3).
fn winding(path: &Path) -> Result<(), Failed> {
    let (mut n_outside, mut n_all) = (0, 0);
    for name in MODELS.into_iter().filter(|name| *name != UNGROUPED) {
        let figure = Figure::open(&path.join(format!("{name}.mod")))?;
        let fig = fig_of(&figure)?;
        for corners in fig.indices.as_chunks::<3>().0 {
            let components = corners.map(|index| fig.components[usize::from(index)]);
            let [a, b, c] = components.map(|it| fig.state_position(0, it.position.into()));
            let [u, v] = [b, c].map(|p| [p[0] - a[0], p[1] - a[1], p[2] - a[2]]);
            let face = [
                u[1] * v[2] - u[2] * v[1],
                u[2] * v[0] - u[0] * v[2],
                u[0] * v[1] - u[1] * v[0],
            ];
            let along = components.iter().flat_map(|it| {
                let normal = fig.normal(it.normal.into());
                (0..3).map(move |axis| face[axis] * normal[axis])
            });
            let along: f32 = along.sum();
            // Those without an area look nowhere.
            n_all += usize::from(along != 0.0);
            n_outside += usize::from(along > 0.0);
        }
    }
    same("triangles", (n_outside, n_all), (3060, 3062))
}

fn textures(path: &Path) -> Result<(), Failed> {
    let archive = ResArchive::read(&std::fs::read(path)?)?;
    let (mut n_dxt1, mut n_dxt3) = (0, 0);
    for entry in archive
        .entries
        .iter()
        .filter(|entry| entry.name.ends_with(b".mmp"))
    {
        let mmp = Mmp::read(&entry.data)?;
        same(&entry.name_text(), mmp.check().len(), 0)?;
        match mmp.format {
            MmpFormat::Dxt1 => n_dxt1 += 1,
            MmpFormat::Dxt3 => n_dxt3 += 1,
            other => return Err(format!("{}: {other}", entry.name_text()).into()),
        }
        if entry.name == b"default_zone.mmp" {
            let sizes: Vec<_> = mmp.levels.iter().map(Vec::len).collect();
            same(
                "levels",
                sizes,
                vec![32_768, 8192, 2048, 512, 128, 32, 8, 8, 8],
            )?;
        }
        let [width, height] = mmp.level_size(0);
        same(
            "pixels",
            mmp.level_rgba(0)?.len(),
            (width * height * 4) as usize,
        )?;
    }
    same("formats", (n_dxt1, n_dxt3), (8, 2))
}

fn dds(path: &Path) -> Result<(), Failed> {
    let archive = ResArchive::read(&std::fs::read(path)?)?;
    for entry in archive
        .entries
        .iter()
        .filter(|entry| entry.name.ends_with(b".mmp"))
    {
        let mmp = Mmp::read(&entry.data)?;
        for rows in [PixelRows::Upright, PixelRows::Stored] {
            let again = Mmp::from_dds(&mmp.to_dds(rows)?, rows)?;
            same(&entry.name_text(), again.write()? == *entry.data, true)?;
        }
    }
    Ok(())
}

/// Pictures that blocks have shown once can be shown by them again.
fn blocks(path: &Path) -> Result<(), Failed> {
    let archive = ResArchive::read(&std::fs::read(path)?)?;
    for entry in archive
        .entries
        .iter()
        .filter(|entry| entry.name.ends_with(b".mmp"))
    {
        let mmp = Mmp::read(&entry.data)?;
        let rgba = mmp.level_rgba(0)?;
        let again = Mmp::encode(&MmpDraft {
            width: mmp.width,
            height: mmp.height,
            format: mmp.format,
            mips: MipChain::LevelZero,
            rgba: &rgba,
            rows: PixelRows::Stored,
        })?;
        let squares = rgba
            .iter()
            .zip(again.level_rgba(0)?)
            .map(|(a, b)| f64::from(a.abs_diff(b)).powi(2));
        let error = (squares.sum::<f64>() / rgba.len() as f64).sqrt();
        same(
            &format!("{} is {error} off", entry.name_text()),
            error < 1.0,
            true,
        )?;
    }
    Ok(())
}

fn fig_of(figure: &Figure) -> Result<&Fig, Failed> {
    let fig = figure.parts.first().and_then(|part| part.fig.as_ref());
    fig.ok_or_else(|| format!("{}: no mesh", figure.name).into())
}

/// CRC-32 as ZIP has it, bit by bit.
fn crc32(bytes: &[u8]) -> u32 {
    let of_byte = |crc: u32, byte: &u8| {
        let mixed = crc ^ u32::from(*byte);
        (0..8).fold(mixed, |crc, _| {
            if crc & 1 == 1 {
                crc >> 1 ^ 0xEDB8_8320
            } else {
                crc >> 1
            }
        })
    };
    !bytes.iter().fold(u32::MAX, of_byte)
}

fn near(what: &str, found: [f32; 3], expected: [f32; 3]) -> Result<(), Failed> {
    let differences = found.iter().zip(expected).map(|(a, b)| (a - b).abs());
    same(
        &format!("{what} at {found:?}"),
        differences.fold(0.0, f32::max) < 1e-6,
        true,
    )
}

/// Fails unless both are the same.
fn same<T: PartialEq + std::fmt::Debug>(what: &str, found: T, expected: T) -> Result<(), Failed> {
    match found == expected {
        true => Ok(()),
        false => Err(format!("{what}: found {found:?}, expected {expected:?}").into()),
    }
}
