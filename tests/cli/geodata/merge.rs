//! `geodata merge`, and patches: what two sets differ in, put into a third.

use super::*;

fn put(world: &World, path: &str, change: impl FnOnce(&mut Region)) -> Vec<u8> {
    let mut region = walled();
    change(&mut region);
    let bytes = L2j::from_region(&region, FlatRule::Max).write().unwrap();
    world.put(path, &bytes);
    bytes
}

fn raised(region: &mut Region, block: usize) {
    region.blocks_mut()[block] = Block::Flat(Flat::from_height(GROUND + 80));
}

#[test]
fn a_patch_makes_one_set_of_another_byte_for_byte() {
    let world = World::new();
    let old = put(&world, "old/20_18.l2j", |_| {});
    let new = put(&world, "new/20_18.l2j", |region| {
        raised(region, 7);
        let Block::Complex(cells) = &mut region.blocks_mut()[0] else {
            panic!("a complex block");
        };
        cells[9].nswe = Nswe::empty();
    });
    let [a, b, patch] = ["old", "new", "changes.jsonl"].map(|it| world.path(it));
    let diff = ["geodata", "diff", &a, &b, "--patch", &patch];
    assert_eq!(run(&diff).0, 1);
    assert_eq!(run(&diff).0, 2, "the patch is there");
    let apply = ["geodata", "patch", &a, "--apply", &patch];
    let (code, stdout, stderr) = run(&[&apply[..], &["--dry-run"]].concat());
    assert_eq!((code, &*stderr), (0, ""));
    assert!(
        stdout.starts_with("would change: 65 cells in 2 blocks"),
        "{stdout}"
    );
    assert_eq!(world.bytes("old/20_18.l2j"), old);
    assert_eq!(run(&apply).0, 0);
    assert!(world.bytes("old/20_18.l2j") == new);
    assert_eq!(world.bytes("old/20_18.l2j.bak"), old);
    // It is what the patch makes of it.
    let (code, stdout, _) = run(&apply);
    assert_eq!(code, 0);
    assert!(stdout.starts_with("changed: 0 cells"), "{stdout}");
    put(&world, "other/20_18.l2j", |region| {
        region.blocks_mut()[7] = Block::Flat(Flat::from_height(GROUND - 80));
    });
    let other = world.path("other");
    let (code, _, stderr) = run(&["geodata", "patch", &other, "--apply", &patch]);
    assert_eq!(code, 2);
    assert!(stderr.contains("block 7 of region 20_18"), "{stderr}");
    // Of a part only its cells.
    let part = world.path("part.jsonl");
    let (old_again, args) = (
        put(&world, "third/20_18.l2j", |_| {}),
        ["--box", "0,900,40,1000", "--patch", &part],
    );
    assert_eq!(
        run(&[&["geodata", "diff", &world.path("third"), &b][..], &args].concat()).0,
        1
    );
    let third = world.path("third");
    let (code, stdout, _) = run(&["geodata", "patch", &third, "--apply", &part]);
    assert_eq!(code, 0);
    assert!(
        stdout.starts_with("changed: 21 cells in 1 blocks"),
        "{stdout}"
    );
    assert!(world.bytes("third/20_18.l2j") != old_again);
}

#[test]
fn merged_sets_have_the_changes_of_both() {
    let world = World::new();
    put(&world, "old/20_18.l2j", |_| {});
    let ours = put(&world, "ours/20_18.l2j", |region| raised(region, 7));
    put(&world, "theirs/20_18.l2j", |region| raised(region, 9));
    let both = put(&world, "both.l2j", |region| {
        raised(region, 7);
        raised(region, 9);
    });
    world.put("theirs/20_19.l2j", &ours);
    let [old, a, b, to] = ["old", "ours", "theirs", "merged"].map(|it| world.path(it));
    let merge = ["geodata", "merge", &a, &b, "--to", &to];
    let (code, stdout, _) = run(&merge);
    assert_eq!(code, 1);
    assert!(
        stdout.starts_with("20_18: differs; left out\n20_19: from "),
        "{stdout}"
    );
    assert!(world.bytes("merged/20_19.l2j") == ours);
    let with_base = [&merge[..], &["--base", &old]].concat();
    assert_eq!(run(&with_base).0, 2, "20_19 is there");
    assert_eq!(run(&[&with_base[..], &["--force"]].concat()).0, 0);
    assert!(world.bytes("merged/20_18.l2j") == both);
    // Both change block 7.
    put(&world, "theirs/20_18.l2j", |region| {
        region.blocks_mut()[7] = Block::Flat(Flat::from_height(GROUND - 80));
        raised(region, 9);
    });
    let forced = [&with_base[..], &["--force"]].concat();
    let (code, stdout, _) = run(&forced);
    assert_eq!(code, 1);
    assert!(
        stdout.starts_with("20_18: 1 blocks changed in both; left out"),
        "{stdout}"
    );
    assert_eq!(run(&[&forced[..], &["--prefer", "a"]].concat()).0, 0);
    assert!(world.bytes("merged/20_18.l2j") == both);
    assert_eq!(run(&[&forced[..], &["--prefer", "b"]].concat()).0, 0);
    assert!(world.bytes("merged/20_18.l2j") == world.bytes("theirs/20_18.l2j"));
}
