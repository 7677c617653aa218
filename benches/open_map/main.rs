//! How long a Source map takes from bytes to what is drawn: the demo map, and real ones where they are.
//!
//! `cargo bench --bench open_map -- --quick`; with the crate `vbsp` on the same files: `--features vbsp`. Real maps are
//! looked for in `IRONLANDS_DATA`, else in `../shared/data`. All files are in memory before the clock starts; the
//! throughput is that of the file's bytes.
//!
//! `container` reads the directory and copies the lumps, `lumps` makes everything typed and checks every index,
//! `scene` adds materials, lightmaps and meshes. `vbsp` reads what it knows of a map, and checks less. `cells` is
//! what culling by a map's own visibility costs.

#![allow(missing_docs, reason = "criterion's macros have no docs")]

use std::hint::black_box;
use std::path::{Path, PathBuf};

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use ironlands::worlds::source::formats::bsp::{BspFile, Map};
use ironlands::worlds::source::formats::level::SourceLevel;
use ironlands::worlds::source::formats::level_scene;

const DEMO_MAP: &str = "DATA/SOURCE/demo.bsp";

fn benches(criterion: &mut Criterion) {
    for path in maps() {
        let data = std::fs::read(&path).expect("a map that was found can be read");
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        let mut group = criterion.benchmark_group(format!("open {name}"));
        group.throughput(Throughput::Bytes(data.len() as u64));
        group.sample_size(20);
        group.bench_function("container", |bencher| {
            bencher.iter(|| BspFile::read(black_box(&data)).expect("a valid map"));
        });
        group.bench_function("lumps", |bencher| {
            bencher.iter(|| {
                let file = BspFile::read(black_box(&data)).expect("a valid map");
                Map::read(&file).expect("a valid map")
            });
        });
        group.bench_function("scene", |bencher| {
            bencher.iter(|| {
                let level = SourceLevel::open(black_box(&path), &[], None).expect("a valid map");
                level_scene::to_scene(&level, &level_scene::all_hidden)
            });
        });
        #[cfg(feature = "vbsp")]
        if let Some(n_faces) = ironlands_query_bench::peers::vbsp::read(&data) {
            let map = BspFile::read(&data).and_then(|file| Map::read(&file));
            assert_eq!(map.expect("a valid map").faces.len(), n_faces);
            group.bench_function("vbsp", |bencher| {
                bencher.iter(|| ironlands_query_bench::peers::vbsp::read(black_box(&data)));
            });
        }
        group.finish();
        bench_cells(criterion, &name, &path);
    }
}

/// What the renderer queries of a map's visibility when its camera moves on: in which cell it is, and what is seen from
/// there; the latter only where the cell is another one.
fn bench_cells(criterion: &mut Criterion, name: &str, path: &Path) {
    let level = SourceLevel::open(path, &[], None).expect("a valid map");
    let (scene, _) = level_scene::to_scene(&level, &level_scene::all_hidden);
    let Some(visibility) = &scene.visibility else {
        return;
    };
    let spawns: Vec<[f32; 3]> = scene.spawns.iter().map(|spawn| spawn.position).collect();
    let mut group = criterion.benchmark_group(format!("cells {name}"));
    group.throughput(Throughput::Elements(spawns.len() as u64));
    group.bench_function("of a point", |bencher| {
        bencher.iter(|| {
            spawns
                .iter()
                .filter_map(|at| visibility.cell_at(*at))
                .count()
        });
    });
    group.throughput(Throughput::Elements(visibility.n_cells() as u64));
    group.bench_function("seen from a cell", |bencher| {
        let mut is_visible = Vec::new();
        bencher.iter(|| {
            let cells = 0..visibility.n_cells() as u32;
            for cell in cells {
                visibility.visible_from(black_box(Some(cell)), &mut is_visible);
            }
        });
    });
    group.finish();
}

/// The demo map, then real ones in the order of their names.
fn maps() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let real = ironlands_real_data::find("source").and_then(|folder| folder.read_dir().ok());
    let real = real.into_iter().flatten().flatten();
    let mut real: Vec<PathBuf> = real.map(|entry| entry.path()).collect();
    real.retain(|path| {
        path.extension()
            .is_some_and(|it| it.eq_ignore_ascii_case("bsp"))
    });
    real.sort();
    let demo = root.join(DEMO_MAP);
    std::iter::once(demo).chain(real).collect()
}

criterion_group!(all, benches);
criterion_main!(all);
