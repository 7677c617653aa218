//! Many files at once.

use ironlands_assets_lineage2::conv_dat::ConvDat;
use ironlands_assets_lineage2::{RegionFolder, RegionId, Tolerance};
use ironlands_sim_geodata::GeoPoint;
use ironlands_sim_geodata::test_world::random;
use ironlands_world_lineage2::{LoadError, LoadedRegions, load_readable_regions, load_regions};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

#[test]
fn a_folder_is_loaded_with_progress_and_can_be_stopped() {
    let folder = tempfile::tempdir().unwrap();
    for x in 20..24 {
        let mut region = random(u64::from(x)).region;
        region.id = RegionId::new(x, 18).unwrap();
        let path = folder.path().join(format!("{x}_18_conv.dat"));
        std::fs::write(path, ConvDat::from_region(&region).write().unwrap()).unwrap();
    }
    let files = RegionFolder::scan(folder.path())
        .unwrap()
        .one_each()
        .unwrap();
    let cancel = AtomicBool::new(false);
    let reported = Mutex::new(Vec::new());
    let geodata = load_regions(
        &files,
        Tolerance::STRICT,
        &|it| reported.lock().unwrap().push(it),
        &cancel,
    )
    .unwrap();
    let mut reported = reported.into_inner().unwrap();
    reported.sort_by_key(|it| it.n_done);
    let n_done: Vec<usize> = reported.iter().map(|it| it.n_done).collect();
    assert_eq!((n_done, reported[0].n_regions), (vec![1, 2, 3, 4], 4));
    assert_eq!(geodata.regions().count(), 4);
    let own = random(20).geodata();
    for i in 0..500 {
        let at = GeoPoint::new(i * 5, i * 3 % 2500, 40);
        assert_eq!(geodata.height(at), own.height(at));
    }

    let stop = |_| cancel.store(true, Ordering::Relaxed);
    let result = load_regions(&files, Tolerance::STRICT, &stop, &cancel);
    cancel.store(true, Ordering::Relaxed);
    assert!(result.is_ok() || matches!(result, Err(LoadError::Canceled)));
    let result = load_regions(&files, Tolerance::STRICT, &|_| {}, &cancel);
    assert!(matches!(result, Err(LoadError::Canceled)));

    cancel.store(false, Ordering::Relaxed);
    std::fs::write(folder.path().join("25_18.l2j"), [9; 300_000]).unwrap();
    let files = RegionFolder::scan(folder.path())
        .unwrap()
        .one_each()
        .unwrap();
    let error = load_regions(&files, Tolerance::STRICT, &|_| {}, &cancel).unwrap_err();
    assert!(error.to_string().ends_with("25_18.l2j"), "{error}");
}

/// A cut file and a text in place of a region, among three sound ones.
#[test]
fn broken_regions_are_left_out_and_the_others_are_loaded() {
    let folder = tempfile::tempdir().unwrap();
    let sound = |x: u8| ConvDat::from_region(&random(u64::from(x)).region).write();
    for x in 20..24 {
        let path = folder.path().join(format!("{x}_18_conv.dat"));
        std::fs::write(path, sound(x).unwrap()).unwrap();
    }
    let cut = sound(21).unwrap();
    std::fs::write(
        folder.path().join("21_18_conv.dat"),
        &cut[..cut.len() - 700],
    )
    .unwrap();
    let pointer = b"version https://git-lfs.github.com/spec/v1\n";
    std::fs::write(folder.path().join("19_18.l2j"), pointer).unwrap();
    let files = RegionFolder::scan(folder.path())
        .unwrap()
        .one_each()
        .unwrap();
    let cancel = AtomicBool::new(false);
    let n_reported = Mutex::new(0);
    let report = |_| *n_reported.lock().unwrap() += 1;
    let LoadedRegions { geodata, left_out } =
        load_readable_regions(&files, Tolerance::STRICT, &report, &cancel).unwrap();
    let ids: Vec<String> = left_out.iter().map(|it| it.id.to_string()).collect();
    assert_eq!(ids, ["19_18", "21_18"]);
    assert_eq!(*n_reported.lock().unwrap(), 5, "progress continues");
    assert_eq!(geodata.regions().count(), 3);
    let own = random(22).geodata();
    let at = |x: i32| GeoPoint::new(x * 5, x * 3, 40);
    for x in 0..200 {
        // The region of `random` is 20_18.
        let shifted = GeoPoint {
            x: at(x).x + 2 * 32768,
            ..at(x)
        };
        assert_eq!(geodata.height(shifted), own.height(at(x)));
    }
}
