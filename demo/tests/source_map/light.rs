//! Lightmaps against light worked out on paper.

use ironlands_assets_source::bsp::{Face, Map};
use ironlands_demo::source_map::brushes::{SurfaceMaterial, flags};
use ironlands_demo::source_map::entities::{Lamp, LightColor, Sun};
use ironlands_demo::source_map::{MapPlan, compile};

use crate::brushes::room;
use crate::{Vec3, demo_map};

/// Light of a face's sample, of its first style.
fn sample(map: &Map, face: &Face, s: i32, t: i32) -> Vec3 {
    let at = face.light_offset as usize + 4 * (t * (face.lightmap_size[0] + 1) + s) as usize;
    let bytes: [u8; 4] = map.lighting[at..at + 4].try_into().unwrap();
    let power = 2.0_f64.powi(i32::from(bytes[3] as i8));
    [0, 1, 2].map(|k| f64::from(bytes[k]) * power / 255.0)
}

/// The sample nearest to a point of the floor at height 0, and its place.
fn floor_light(map: &Map, x: f64, y: f64) -> (Vec3, [f64; 2]) {
    for face in &map.faces {
        let plane = &map.planes[face.plane as usize];
        if plane.normal != [0.0, 0.0, 1.0] || plane.dist != 0.0 || face.light_offset < 0 {
            continue;
        }
        let [s_row, t_row] = map.texinfos[face.texinfo as usize].lightmap_vecs;
        let along =
            |row: [f32; 4]| f64::from(row[0]) * x + f64::from(row[1]) * y + f64::from(row[3]);
        let at = [along(s_row), along(t_row)].map(|c| c.round() as i32);
        let local = [0, 1].map(|k| at[k] - face.lightmap_mins[k]);
        if (0..2).all(|k| (0..=face.lightmap_size[k]).contains(&local[k])) {
            // S runs along +X and T along -Y, 16 units a step.
            let place = [f64::from(at[0]) * 16.0, -f64::from(at[1]) * 16.0];
            return (sample(map, face, local[0], local[1]), place);
        }
    }
    panic!("no floor at {x} {y}");
}

fn assert_near(found: Vec3, expected: Vec3, tolerance: f64) {
    for k in 0..3 {
        let off = (found[k] - expected[k]).abs();
        assert!(
            off <= tolerance * expected[k],
            "{found:?} instead of {expected:?}"
        );
    }
}

/// A room whose floor alone is not sky.
fn open_floor(sun: Sun) -> MapPlan {
    let mut plan = room(None);
    let sky = SurfaceMaterial {
        flags: flags::SKY | flags::NOLIGHT,
        ..plan.materials[0].clone()
    };
    plan.materials.push(sky);
    for (side, brush) in plan.brushes.iter_mut().enumerate() {
        if side != 4 {
            brush.sides.iter_mut().for_each(|side| side.material = 1);
        }
    }
    plan.sun = Some(sun);
    plan
}

#[test]
fn open_floor_gets_sun_by_its_angle_and_all_of_the_sky() {
    let sun = Sun {
        origin: [0.0, 0.0, 64.0],
        pitch: -30.0,
        yaw: 75.0,
        color: LightColor {
            rgb: [255, 200, 100],
            brightness: 510.0,
        },
        sky: LightColor {
            rgb: [60, 120, 255],
            brightness: 102.0,
        },
        spread: 0.01,
    };
    let map = compile(&open_floor(sun)).unwrap();
    let (light, _) = floor_light(&map, 0.0, 0.0);
    // Sun: twice the color, and half of it at 30 degrees above the floor. Sky: 0.4 of its color.
    let linear = |c: f64| (c / 255.0).powf(2.2);
    let expected = [[255.0, 60.0], [200.0, 120.0], [100.0, 255.0]]
        .map(|[sun, sky]| 2.0 * 0.5 * linear(sun) + 0.4 * linear(sky));
    // A mantissa of 128 to 255 is off by half of one at most.
    assert_near(light, expected, 0.02);
}

#[test]
fn lamp_fades_with_the_square_of_the_distance() {
    let mut plan = room(None);
    let color = LightColor {
        rgb: [255, 128, 64],
        brightness: 255.0,
    };
    plan.lamps.push(Lamp {
        origin: [0.0, 0.0, 100.0],
        color,
        style: 0,
        name: None,
        cone: None,
    });
    let map = compile(&plan).unwrap();
    for x in [0.0, 48.0, 96.0] {
        let (light, [px, py]) = floor_light(&map, x, 0.0);
        // Samples lie a little above the floor.
        let (height, square) = (99.25, px * px + py * py + 99.25 * 99.25);
        let share = 10_000.0 / square * (height / f64::sqrt(square));
        let expected = [255.0, 128.0, 64.0].map(|c: f64| (c / 255.0).powf(2.2) * share);
        // The mean over a sample's parts is not quite the light in its middle; dark channels have few steps.
        assert_near(light, expected, 0.03);
    }
}

#[test]
fn light_of_a_bumped_floor_is_stored_for_three_directions_too() {
    let mut plan = room(None);
    plan.materials[0].flags = flags::BUMPLIGHT;
    let place = [40.0, 56.0, 90.0];
    plan.lamps.push(Lamp {
        origin: place,
        color: LightColor {
            rgb: [255; 3],
            brightness: 255.0,
        },
        style: 0,
        name: None,
        cone: None,
    });
    let map = compile(&plan).unwrap();
    let face = map.faces.iter().find(|face| {
        let plane = &map.planes[face.plane as usize];
        plane.normal == [0.0, 0.0, 1.0] && plane.dist == 0.0
    });
    let face = face.unwrap();
    let [width, height] = face.lightmap_size.map(|n| n + 1);
    // Across is +X, along the texture -Y.
    let [third, half, sixth] = [3.0_f64, 2.0, 6.0].map(|n| (1.0 / n).sqrt());
    let directions = [
        [0.0, 0.0, 1.0],
        [(2.0_f64 / 3.0).sqrt(), 0.0, third],
        [-sixth, -half, third],
        [-sixth, half, third],
    ];
    for [s, t] in [[3, 4], [8, 8], [12, 5]] {
        let [x, y] =
            [s + face.lightmap_mins[0], -(t + face.lightmap_mins[1])].map(|c| f64::from(c) * 16.0);
        let way = [place[0] - x, place[1] - y, place[2] - 0.75];
        let square: f64 = way.iter().map(|c| c * c).sum();
        for (plane, direction) in (0..).zip(directions) {
            let along: f64 = (0..3).map(|k| way[k] * direction[k]).sum();
            let expected = (along / square.sqrt()).max(0.0) * 10_000.0 / square;
            let found = sample(&map, face, s, t + plane * height);
            // The mean over a sample's parts is not quite the light in its middle.
            assert!(
                (found[0] - expected).abs() < 0.04 * expected + 0.01,
                "{plane} of {s} {t}: {found:?}, {expected}"
            );
        }
    }
    let first = face.light_offset as usize - 4;
    assert_eq!(map.lighting.len() % 4, 0);
    assert!(map.lighting.len() >= first + 4 + (width * height * 16) as usize);
}

#[test]
fn gray_room_passes_light_on_until_the_sum_is_reached() {
    // In a closed room that is all of one albedo, light within is what the lamp gives, times 1 / (1 - albedo) in the
    // mean over all surfaces.
    let lit = |n_bounces: usize| {
        let mut plan = room(None);
        plan.materials[0].reflectivity = [0.5; 3];
        plan.n_bounces = n_bounces;
        plan.lamps.push(Lamp {
            origin: [0.0, 0.0, 64.0],
            color: LightColor {
                rgb: [255; 3],
                brightness: 255.0,
            },
            style: 0,
            name: None,
            cone: None,
        });
        let map = compile(&plan).unwrap();
        let (mut sum, mut area) = (0.0, 0.0);
        for face in &map.faces {
            let [width, height] = face.lightmap_size.map(|n| n + 1);
            let n = f64::from(width * height);
            let of_face: f64 = (0..width * height)
                .map(|at| sample(&map, face, at % width, at / width)[0])
                .sum();
            sum += of_face / n * f64::from(face.area);
            area += f64::from(face.area);
        }
        sum / area
    };
    let (direct, one, many) = (lit(0), lit(1), lit(12));
    assert!((one / direct - 1.5).abs() < 0.06, "{}", one / direct);
    assert!((many / direct - 2.0).abs() < 0.12, "{}", many / direct);
}

#[test]
fn courtyard_lies_in_the_sun_and_the_hall_under_its_lamps() {
    let map = demo_map();
    let (yard, _) = floor_light(map, 208.0, 0.0);
    let (hall, _) = floor_light(map, -336.0, -96.0);
    assert!(yard[0] > 0.8 && yard[0] < 3.0, "{yard:?}");
    assert!(hall[0] > 0.1 && hall[0] < yard[0], "{hall:?}");
    assert!(
        hall[2] / hall[0] < 0.75 * yard[2] / yard[0],
        "lamps are warmer: {hall:?} {yard:?}"
    );
}
