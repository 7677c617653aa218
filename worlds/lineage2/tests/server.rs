//! Files of servers: doors in three forms, zones, spawns and places; and doors that close the ground.

use ironlands_sim_geodata::path::{PathEnd, PathFinder, PathOptions, PathRequest, PathSearch};
use ironlands_sim_geodata::test_world::{Ground, middle};
use ironlands_sim_geodata::{GeoPoint, Geodata, ObjectKind, Profile};
use ironlands_world_lineage2::server::{
    Door, DoorSet, Places, ServerFile, ServerFileError, ServerFileErrorKind, UnknownDoor, ZoneShape,
};

/// Three doors, in the forms of aCis, L2J Mobius and L2J.
const DOORS: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<list>
  <!-- <door id="9"/> -->
  <door id="7" type="WALL" name="north_wall">
    <castle id="1"/>
    <position x="16" y="16" z="40"/>
    <coordinates>
      <loc x="0" y="0" z="10"/>
      <loc x="64" y="32" z="8"/>
      <loc x="64" y="0" z="12"/>
      <loc x="0" y="32" z="9"/>
    </coordinates>
    <stats hp="1" height="320"/>
  </door>
  <door id="8" name="gate">
    <nodes nodeZ="-20">
      <node x="5" y="5"/>
      <node x="5" y="105"/>
    </nodes>
    <location x="5" y="50" z="-10" height="90"/>
    <openStatus default="open"/>
  </door>
  <door id="9" name="old" pos="1;2;3" node1="0,0" node2="10,0" node3="10,40" node4="0,40" nodeZ="3"/>
  <instance><door id="9" open="true"/></instance>
</list>"#;

fn read(text: &str) -> ServerFile {
    ServerFile::read(text.as_bytes(), "TestZone").unwrap()
}

#[test]
fn doors_of_all_three_forms_are_read() {
    let file = read(DOORS);
    assert!(file.problems.is_empty() && file.spawns.is_empty());
    let [wall, gate, old] = &file.doors[..] else {
        panic!("{:?}", file.doors);
    };
    assert_eq!((wall.id, &*wall.name), (7, "north_wall"));
    assert_eq!((wall.place.line, wall.place.column), (4, 3));
    assert_eq!(wall.kind, ObjectKind::Wall);
    assert_eq!(wall.heights, (8, 328));
    // Stored crosswise.
    assert_eq!(wall.outline, [(0, 0), (64, 0), (64, 32), (0, 32)]);
    assert_eq!((gate.kind, gate.heights), (ObjectKind::Door, (-20, 70)));
    // On a line, so as wide as a cell.
    assert_eq!(gate.outline, [(13, 5), (13, 105), (-3, 105), (-3, 5)]);
    let is_open = |door: &Door| door.is_open_at_first;
    assert_eq!([wall, gate, old].map(is_open), [false, true, false]);
    assert_eq!((old.outline.len(), old.heights), (4, (3, 153)));
}

#[test]
fn what_is_wrong_has_a_line_and_a_column() {
    let failed = |text: &str| ServerFile::read(text.as_bytes(), "").unwrap_err();
    let at = |error: &ServerFileError| (error.place.line, error.place.column);
    let broken = failed("<list>\n <spawn>\n</list>");
    assert_eq!(at(&broken), (3, 1));
    assert!(matches!(broken.kind, ServerFileErrorKind::Xml(_)));
    let unclosed = failed("<list>\n <spawn>");
    assert_eq!(at(&unclosed), (2, 2));
    assert!(matches!(unclosed.kind, ServerFileErrorKind::Unclosed(name) if name == "spawn"));
    let text = failed("x y z");
    assert!(matches!(text.kind, ServerFileErrorKind::NoElement));
    let deep = failed(&"<a>".repeat(1000));
    assert!(matches!(deep.kind, ServerFileErrorKind::TooDeep));
    let twice = failed("<a>\n<b c='1' c='2'/></a>");
    assert_eq!(at(&twice), (2, 1));

    let problems = |text: &str| {
        let file = read(text);
        let [problem] = &file.problems[..] else {
            panic!("{text}: {:?}", file.problems);
        };
        problem.to_string()
    };
    for (text, expected) in [
        (
            "<list>\n é <door id='1'><nodes nodeZ='1'><node x='1' y='q'/></nodes></door></list>",
            "line 2, column 34: y of <node> is \"q\", expected a whole number",
        ),
        (
            "<door id='1'><nodes><node x='1' y='1'/><node x='2' y='1'/></nodes></door>",
            "line 1, column 14: <nodes> has no nodez",
        ),
        (
            "<door id='1'><nodes nodeZ='1'><node x='1' y='1'/></nodes></door>",
            "line 1, column 1: <door> has 1 points, expected 2 or more",
        ),
        (
            "<door id='1' node1='1,2,3' nodeZ='1'/>",
            "line 1, column 1: node1 of <door> is \"1,2,3\", expected x,y",
        ),
        (
            "<zone minZ='0' maxZ='9'><node x='1' y='1'/></zone>",
            "line 1, column 1: <zone> has 1 points, expected 3 or more",
        ),
        (
            "<zone shape='Cylinder' minZ='0' maxZ='9'><node x='1' y='1'/></zone>",
            "line 1, column 1: <zone> has no rad",
        ),
        (
            "<zone shape='Ball' minZ='0' maxZ='9'><node x='1' y='1'/></zone>",
            "line 1, column 1: shape of <zone> is \"Ball\", expected NPoly, Cuboid or Cylinder",
        ),
    ] {
        assert_eq!(problems(text), expected);
    }
}

#[test]
fn zones_have_names_shapes_and_heights() {
    let file = read(
        r#"<list>
  <zone shape="NPoly" minZ="-100" maxZ="100"><!-- Harbor Town -->
    <node x="0" y="0"/><node x="400" y="0"/><node x="400" y="100"/>
    <node x="100" y="100"/><node x="100" y="400"/><node x="0" y="400"/>
    <spawn type="NORMAL" x="10" y="20" z="30"/>
  </zone>
  <zone id="3" type="PeaceZone" shape="Cuboid" minZ="50" maxZ="-50">
    <node X="30" Y="10"/><node X="10" Y="40"/>
  </zone>
  <zone name="pond" type="Water" shape="Cylinder" minZ="0" maxZ="1" rad="5"><node X="7" Y="7"/></zone>
  <spawn><territories><territory name="field" minZ="0" maxZ="9">
    <node x="0" y="0"/><node x="9" y="0"/><node x="0" y="9"/>
  </territory></territories><npc id="1" x="1" y="2" z="3"/></spawn>
  <zone X="a" Y="2" Z="3"/>
</list>"#,
    );
    assert!(file.problems.is_empty(), "{:?}", file.problems);
    let zones: Vec<_> = file
        .zones
        .iter()
        .map(|zone| (&*zone.name, &*zone.kind, zone.heights))
        .collect();
    let expected = [
        ("Harbor Town", "TestZone", (-100, 100)),
        ("PeaceZone 3", "PeaceZone", (-50, 50)),
        ("pond", "Water", (0, 1)),
        ("field", "territory", (0, 9)),
    ];
    assert_eq!(zones, expected);
    let points: Vec<_> = file.spawns.iter().map(|spawn| spawn.point).collect();
    assert_eq!(points, [GeoPoint::new(10, 20, 30), GeoPoint::new(1, 2, 3)]);
    let [harbor, peace, pond, _] = &file.zones[..] else {
        panic!("four zones");
    };
    assert_eq!(peace.shape, ZoneShape::Rectangle((10, 10), (30, 40)));
    for (x, y, expected) in [
        (50, 50, true),
        (350, 50, true),
        (50, 350, true),
        (200, 200, false),
        (-1, 50, false),
        (401, 50, false),
    ] {
        assert_eq!(harbor.shape.contains(x, y), expected, "{x}, {y}");
    }
    assert!(harbor.contains(50, 50, 100) && !harbor.contains(50, 50, 101));
    assert!(pond.shape.contains(10, 11) && !pond.shape.contains(11, 11));
}

#[test]
fn points_are_named_after_the_smallest_zone_or_the_nearest_place() {
    let mut places = Places::default();
    let file = read(
        "<list><zone name='land' minZ='-9' maxZ='9'><node x='0' y='0'/><node x='900' y='0'/>\
         <node x='900' y='900'/><node x='0' y='900'/></zone>\
         <zone name='yard' shape='Cuboid' minZ='-9' maxZ='9'><node x='10' y='10'/><node x='50' y='50'/></zone></list>",
    );
    file.zones
        .into_iter()
        .for_each(|zone| places.add_zone(zone));
    places
        .add_text("# comment\n\n2000, 10 -3\t Old Mill\n-5;-5;0;Well\n")
        .unwrap();
    let name = |x, y| places.name_of(GeoPoint::new(x, y, 0), 1500);
    assert_eq!(name(20, 20), Some("yard"));
    assert_eq!(name(60, 20), Some("land"));
    assert_eq!(name(2500, 0), Some("Old Mill"));
    assert_eq!(name(9000, 0), None);
    let mut points = places.places.iter().map(|it| (&*it.name, it.point.x));
    assert_eq!(points.next(), Some(("land", 450)));
    assert_eq!(points.next_back(), Some(("Well", -5)));
    for text in ["1 2 3", "1 2 x mill", "mill 1 2 3"] {
        let error = Places::default()
            .add_text(&format!("\n{text}"))
            .unwrap_err();
        assert_eq!(error.line, 2, "{text}");
    }
}

/// A wall of towers across the blocks that are not flat, with a gap of two cells in the middle.
fn gap() -> Geodata {
    let mut ground = Ground::new();
    for y in 0..256 {
        ground.flat(2, y, 400, 400);
    }
    ground.block(2, 2, |_, y| match y {
        3 | 4 => vec![ironlands_sim_geodata::test_world::open(0)],
        _ => vec![ironlands_sim_geodata::test_world::open(400)],
    });
    ground.geodata()
}

#[test]
fn paths_follow_doors_that_open_and_close() {
    let geodata = gap();
    // Across the gap, whose cells are 19 and 20 to the south.
    let text = "<door id='5' name='gap' node1='300,300' node2='320,300' node3='320,340' node4='300,340' nodeZ='0'/>";
    let (mut doors, outside) = DoorSet::new(read(text).doors);
    assert!(outside.is_empty());
    let request = PathRequest {
        from: middle(4, 20, 0),
        to: middle(60, 20, 0),
    };
    let end = |geodata: &Geodata| {
        let options = PathOptions {
            budget: 200_000,
            ..PathOptions::default()
        };
        let finder = PathFinder::exact(geodata, &Profile::ACIS);
        let path = finder.find(&request, &options, &mut PathSearch::default());
        path.unwrap().end
    };
    assert_eq!(end(&geodata), PathEnd::Reached);
    let closed = doors.apply(&geodata);
    assert_ne!(end(&closed), PathEnd::Reached);
    doors.set_open(5, true).unwrap();
    let opened = doors.apply_one(&closed, 5).unwrap();
    assert_eq!(end(&opened), PathEnd::Reached);
    assert_eq!(opened.memory(), geodata.memory(), "nothing is left of it");
    doors.set_all_open(false);
    assert!(doors.doors().all(|(_, is_open)| !is_open));
    assert_ne!(end(&doors.apply(&geodata)), PathEnd::Reached);
    assert_eq!(doors.set_open(6, true), Err(UnknownDoor(6)));
    let far = "<door id='6' node1='90000000,0' node2='90000020,0' node3='90000020,40' nodeZ='0'/>";
    let (none, outside) = DoorSet::new(read(far).doors);
    assert_eq!((none.doors().len(), outside.len()), (0, 1));
}
