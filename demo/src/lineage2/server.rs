//! What a community server keeps beside the regions: the doors of the town's gates, zones, and spawn points.

use super::places::{ALL, BEACON, BRIDGE, HAMLET, HARBOUR, MARKET};
use super::town::{gate_doors, wall_corners};
use super::{CELL, FOLDER, SEA};

/// The first door's id, of the form that servers have: region x, region y, number.
const FIRST_DOOR: u32 = 20_180_001;
/// Sides of zones around places, in points, and heights above and below them.
const ZONE_SIDE: i32 = 1600;
const ZONE_HEIGHT: i32 = 600;

/// `doors.xml`, `zones.xml` and `spawns.xml`, below `DATA`.
pub fn files() -> Vec<(String, Vec<u8>)> {
    let files = [("doors", doors()), ("zones", zones()), ("spawns", spawns())];
    let named = files.map(|(name, lines)| {
        let text = format!(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<list>\n{}</list>\n",
            lines.concat()
        );
        (format!("{FOLDER}/server/{name}.xml"), text.into_bytes())
    });
    named.into()
}

/// A door in each gate, of which the northern one is closed at first.
fn doors() -> Vec<String> {
    let doors = gate_doors().into_iter().zip(FIRST_DOOR..);
    let text = doors.map(|(door, id)| {
        let nodes = door.corners.map(|[x, y]| format!("<node x=\"{x}\" y=\"{y}\"/>"));
        let (name, bottom, height) = (door.name, door.bottom, door.height);
        let [x, y] = [0, 1].map(|axis| (door.corners[0][axis] + door.corners[2][axis]) / 2);
        let status = if name == "north_gate" { "closed" } else { "open" };
        format!(
            "\t<door id=\"{id}\" name=\"{name}\">\n\t\t<nodes nodeZ=\"{bottom}\">{}</nodes>\n\t\t<location x=\"{x}\" \
             y=\"{y}\" z=\"{bottom}\" height=\"{height}\"/>\n\t\t<openStatus default=\"{status}\"/>\n\t</door>\n",
            nodes.concat()
        )
    });
    text.collect()
}

/// The town as a town, rectangles and a circle around other places.
fn zones() -> Vec<String> {
    let zone = |name: &str, kind: &str, shape: &str, nodes: String, z: i32| {
        let (low, high) = (z - ZONE_HEIGHT, z + ZONE_HEIGHT);
        format!(
            "\t<zone name=\"{name}\" type=\"{kind}\" {shape} minZ=\"{low}\" maxZ=\"{high}\">{nodes}</zone>\n"
        )
    };
    let node = |x: i32, y: i32| format!("<node X=\"{x}\" Y=\"{y}\"/>");
    let cuboid = |name: &str, kind: &str, [x, y, z]: [i32; 3]| {
        let nodes = node(x - ZONE_SIDE / 2, y - ZONE_SIDE / 2)
            + &node(x + ZONE_SIDE / 2, y + ZONE_SIDE / 2);
        zone(name, kind, "shape=\"Cuboid\"", nodes, z)
    };
    let town: String = wall_corners().map(|[x, y]| node(x, y)).concat();
    let [x, y, z] = BEACON;
    vec![
        zone("town", "PeaceZone", "shape=\"NPoly\"", town, MARKET[2]),
        cuboid("harbour", "FishingZone", HARBOUR),
        cuboid("bridge", "SiegeZone", BRIDGE),
        cuboid("hamlet", "PeaceZone", HAMLET),
        zone(
            "beacon",
            "NoLandingZone",
            &format!("shape=\"Cylinder\" rad=\"{ZONE_SIDE}\""),
            node(x, y),
            z,
        ),
    ]
}

/// One at each place, and two that a check finds: one in the air, one far out at sea where no region is.
fn spawns() -> Vec<String> {
    let spawn = |name: &str, [x, y, z]: [i32; 3]| {
        format!("\t<spawn name=\"{name}\" x=\"{x}\" y=\"{y}\" z=\"{z}\"/>\n")
    };
    let [x, y, z] = MARKET;
    let west_of_all = [-(1000.0 * CELL) as i32, y, SEA as i32];
    let places = ALL.iter().map(|(name, place)| spawn(name, *place));
    let faults = [
        spawn("crow", [x + 400, y, z + 900]),
        spawn("lost ship", west_of_all),
    ];
    places.chain(faults).collect()
}
