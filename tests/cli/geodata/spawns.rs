//! `geodata spawns`: points of a server's XML that are no places for anyone.

use super::*;

#[test]
fn spawns_in_nothing_are_listed_with_their_lines() {
    let world = World::new();
    let mut region = walled();
    // A cell without an open side.
    let Block::Complex(cells) = &mut region.blocks_mut()[0] else {
        panic!("a complex block");
    };
    cells[9].nswe = Nswe::empty();
    let l2j = L2j::from_region(&region, FlatRule::Max).write().unwrap();
    world.put("geodata/20_18.l2j", &l2j);
    let text = r#"<list>
  <spawn id="1" x="8" y="8" z="-2990"/>
  <spawn id="2" x="8" y="8" z="-2500"/>
  <group>
    <npc pos="24;24;-3000;100"/>
  </group>
  <spawn id="3" x="-100" y="8" z="0"/>
</list>
"#;
    world.put("spawns/a/one.xml", text.as_bytes());
    world.put(
        "spawns/two.xml",
        b"<list><spawn x='1000' y='1000' z='-3000'/></list>",
    );
    world.put("spawns/notes.txt", b"<");
    let [geodata, spawns] = ["geodata", "spawns"].map(|it| world.path(it));
    let args = ["geodata", "spawns", &geodata, &spawns];
    let (code, stdout, stderr) = run(&args);
    assert_eq!((code, &*stderr), (1, ""));
    let lines: Vec<&str> = stdout.lines().collect();
    let expected = [
        "one.xml:3: spawn at 8,8,-2500: no ground within 200; the nearest is at -3000",
        "one.xml:5: npc at 24,24,-3000: no step leads out of its cell",
        "one.xml:7: spawn at -100,8,0: no region",
        "5 spawn points in 2 files: 3 listed",
    ];
    assert_eq!(lines.len(), expected.len(), "{stdout}");
    for (line, words) in lines.iter().zip(expected) {
        assert!(line.ends_with(words), "{line}");
    }
    let (code, stdout, _) = run(&[&args[..], &["--reach", "600", "--json"]].concat());
    assert_eq!(code, 1);
    let listed: Vec<Value> = stdout
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let problems: Vec<_> = listed.iter().map(|it| it["problem"].as_str()).collect();
    assert_eq!(problems, [Some("enclosed"), Some("no_region")]);
    assert_eq!(listed[0]["line"], 5);
    let two = world.path("spawns/two.xml");
    assert_eq!(run(&["geodata", "spawns", &geodata, &two]).0, 0);
    let broken = world.put("broken.xml", b"<list>\n<spawn>\n</list>");
    let (code, _, stderr) = run(&["geodata", "spawns", &geodata, &broken]);
    assert_eq!(code, 2);
    assert!(stderr.contains("broken.xml: line 3, column 1"), "{stderr}");
}

#[test]
fn a_difference_has_a_tolerance_and_a_box() {
    let world = World::new();
    let [geodata, dat] = ["geodata", "dat"].map(|it| world.path(it));
    let diff = |options: &[&str]| {
        let args = [
            &["geodata", "diff", &geodata, &dat, "--limit", "0"],
            options,
        ]
        .concat();
        let (code, stdout, stderr) = run(&args);
        assert_eq!(stderr, "");
        (code, stdout.lines().last().unwrap().to_owned())
    };
    let cells = |n: u32| {
        let n_changed = u32::from(n > 0);
        format!("regions in both 1, changed {n_changed}, only in one 0: {n} cells differ")
    };
    // The pair of 32 in block 0, 1.
    assert_eq!(diff(&[]), (1, cells(64)));
    assert_eq!(diff(&["--tolerance", "31"]), (1, cells(64)));
    assert_eq!(diff(&["--tolerance", "32"]), (0, cells(0)));
    assert_eq!(diff(&["--box", "40,140,8,200"]), (1, cells(3 * 5)));
    assert_eq!(diff(&["--box", "0,0,100,100"]), (0, cells(0)));
    let (code, _, stderr) = run(&["geodata", "diff", &geodata, &dat, "--box", "1,2,3"]);
    assert_eq!(code, 2);
    assert!(stderr.contains("four whole numbers"), "{stderr}");
}

/// North of the wall of towers is a yard that only a door leads to.
#[test]
fn doors_cut_off_spawns_and_places_have_names() {
    let world = World::new();
    let mut region = Region::flat(id(), GROUND);
    let tower = Block::Flat(Flat::from_height(GROUND + 800));
    for x in 0..=4 {
        for y in 0..=4 {
            if (x == 4 || y == 4) && (x, y) != (4, 1) {
                region.blocks_mut()[x * 256 + y] = tower.clone();
            }
        }
    }
    let l2j = L2j::from_region(&region, FlatRule::Max).write().unwrap();
    world.put("yard/20_18.l2j", &l2j);
    let doors = world.put(
        "doors.xml",
        b"<list><door id='5' node1='500,120' node2='660,120' node3='660,260' node4='500,260' nodeZ='-3000'/></list>",
    );
    let spawns = world.put(
        "spawns.xml",
        b"<list>\n<npc x='40' y='40' z='-3000'/>\n<npc x='2000' y='40' z='-3000'/></list>",
    );
    let zones = world.put(
        "zones.xml",
        b"<zone shape='Cuboid' minZ='-3100' maxZ='-2900'><!-- The Yard --><node x='0' y='0'/><node x='500' y='500'/></zone>",
    );
    let yard = world.path("yard");
    let args = [
        "geodata",
        "spawns",
        &yard,
        &spawns,
        "--start",
        "2400,40,-3000",
        "--doors",
        &doors,
        "--places",
        &zones,
        "--teleport",
    ];
    let (code, stdout, stderr) = run(&args);
    assert_eq!((code, &*stderr), (1, "making zones\n"));
    let lines: Vec<&str> = stdout.lines().collect();
    assert_eq!(lines.len(), 3, "{stdout}");
    assert!(
        lines[0].ends_with("spawns.xml:2: npc at 40,40,-3000 (The Yard): no path leads there"),
        "{stdout}"
    );
    assert_eq!(lines[1], "//teleport 40 40 -3000");
    assert_eq!(run(&[&args[..], &["--open", "5"]].concat()).0, 0);
    let path = [
        "geodata",
        "path",
        &yard,
        "40,40,-3000",
        "2400,40,-3000",
        "--doors",
        &doors,
    ];
    assert_eq!(run(&path).0, 1);
    let (code, stdout, _) = run(&[&path[..], &["--open", "all", "--teleport"]].concat());
    assert_eq!(code, 0);
    assert!(stdout.starts_with("//teleport 40 40 -3000\n"), "{stdout}");
    assert!(stdout.ends_with("//teleport 2400 40 -3000\n"), "{stdout}");
    let (code, _, stderr) = run(&[&path[..], &["--close", "6"]].concat());
    assert_eq!(code, 2);
    assert!(stderr.contains("no door has the id 6"), "{stderr}");
    let places = world.put("places.txt", b"8 8 0 Corner\n-100,0,7,Nowhere\n");
    let (code, stdout, _) = run(&["geodata", "places", &yard, &places, &zones]);
    assert_eq!(code, 1);
    let expected = "Corner  8,8,-3000\nNowhere  -100,0,7  no ground\nThe Yard  250,250,-3000\n";
    assert_eq!(stdout, expected);
    let (_, stdout, _) = run(&["geodata", "places", &yard, &zones, "--teleport"]);
    assert_eq!(stdout, "# The Yard\n//teleport 250 250 -3000\n");
}
