//! The light of the day in each region, and what else the game keeps as plain text.

use crate::noise::{mix, smoothstep};
use crate::textures::Rgb;

/// What a region's light looks like.
struct Region {
    file: &'static str,
    /// Sky, ambient light and sun by day.
    day: [Rgb; 3],
    /// The same by night.
    night: [Rgb; 3],
    /// What colors the sky, and the sun, when it rises and sets.
    dusk: [Rgb; 2],
}

const NIGHT: [Rgb; 3] = [[10.0, 14.0, 34.0], [34.0, 38.0, 62.0], [22.0, 28.0, 52.0]];
const DUSK: [Rgb; 2] = [[228.0, 172.0, 138.0], [236.0, 140.0, 78.0]];
/// What light from around is multiplied by at dusk: what the red sky gives, it takes from green and blue.
const DUSK_AMBIENT: [f64; 3] = [0.94, 0.72, 0.66];

/// Light below ground is the same at all hours.
const fn cave(file: &'static str, light: [Rgb; 3]) -> Region {
    Region {
        file,
        day: light,
        night: light,
        dusk: [light[0], light[2]],
    }
}

const REGIONS: [Region; 6] = [
    Region {
        file: "lightsgipat.ini",
        day: [
            [142.0, 184.0, 226.0],
            [128.0, 134.0, 144.0],
            [214.0, 204.0, 178.0],
        ],
        night: NIGHT,
        dusk: DUSK,
    },
    Region {
        file: "lightsingos.ini",
        day: [
            [186.0, 204.0, 222.0],
            [142.0, 150.0, 164.0],
            [184.0, 188.0, 196.0],
        ],
        night: NIGHT,
        dusk: [[206.0, 176.0, 168.0], [214.0, 158.0, 128.0]],
    },
    Region {
        file: "lightssuslanger.ini",
        day: [
            [176.0, 196.0, 206.0],
            [134.0, 126.0, 112.0],
            [232.0, 206.0, 156.0],
        ],
        night: NIGHT,
        dusk: [[232.0, 164.0, 116.0], [240.0, 126.0, 58.0]],
    },
    cave(
        "lightscavegipat.ini",
        [[12.0, 14.0, 16.0], [74.0, 72.0, 68.0], [40.0, 38.0, 34.0]],
    ),
    cave(
        "lightscaveingos.ini",
        [[14.0, 18.0, 24.0], [72.0, 80.0, 92.0], [40.0, 44.0, 52.0]],
    ),
    cave(
        "lightscavesuslanger.ini",
        [[20.0, 12.0, 8.0], [88.0, 66.0, 50.0], [52.0, 34.0, 22.0]],
    ),
];

/// Names and texts of all files of `Config`.
pub fn files() -> Vec<(&'static str, String)> {
    let lights = REGIONS.iter().map(|region| (region.file, text(region)));
    let movies = "[Start]\r\nmovies=island\r\n[Crdtfin]\r\nmovies=\r\n[Crdtfout]\r\nmovies=\r\n";
    lights.chain([("movie.ini", movies.to_owned())]).collect()
}

/// How much of the day's light there is at an hour, and how much of the color of dusk.
fn light(hour: f64) -> [f64; 2] {
    let day = smoothstep(4.5, 8.0, hour) * smoothstep(21.0, 17.5, hour);
    let rising = smoothstep(4.0, 6.0, hour) * smoothstep(8.5, 6.5, hour);
    let setting = smoothstep(16.8, 19.0, hour) * smoothstep(21.5, 19.5, hour);
    [day, rising.max(setting)]
}

fn text(region: &Region) -> String {
    let mut text = String::new();
    let is_below_ground = region.day == region.night;
    for (section, name) in ["sky", "ambient", "sunlight"].into_iter().enumerate() {
        text.push_str(&format!("[{name}]\r\n"));
        for hour in 0..24 {
            let [day, dusk] = light(f64::from(hour));
            let plain = |k: usize| mix(region.night[section][k], region.day[section][k], day);
            let color = [0, 1, 2].map(|k| {
                let warm = match section {
                    0 => mix(plain(k), region.dusk[0][k], 0.7 * dusk),
                    1 if is_below_ground => plain(k),
                    1 => plain(k) * mix(1.0, DUSK_AMBIENT[k], dusk),
                    _ => mix(
                        plain(k),
                        region.dusk[1][k],
                        0.8 * dusk * smoothstep(0.0, 0.2, day),
                    ),
                };
                (warm + 0.5).floor() as u8
            });
            let [r, g, b] = color;
            text.push_str(&format!("time{hour:02}={r},{g},{b}\r\n"));
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn noon_is_bright_and_midnight_is_dark() {
        assert_eq!(light(12.0), [1.0, 0.0]);
        assert_eq!(light(0.0), [0.0, 0.0]);
        assert!(light(6.5)[1] > 0.9 && light(19.2)[1] > 0.7);
        let gipat = text(&REGIONS[0]);
        assert_eq!(gipat.lines().count(), 3 * 25);
        assert!(gipat.contains("time12=142,184,226"), "{gipat}");
        let cave = text(&REGIONS[3]);
        assert_eq!(cave.matches("=74,72,68").count(), 24, "{cave}");
    }
}
