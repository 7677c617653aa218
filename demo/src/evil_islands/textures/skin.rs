//! Skins of people: face, hair, tunic, trousers and boots, in the places that the figure's parts show.

use super::{blend, scaled, within};
use crate::evil_islands::figures::skin as place;
use crate::noise::{fbm, gradient, smoothstep};
use crate::textures::{Canvas, Rgb};

/// What one person looks like.
struct Looks {
    seed: u32,
    flesh: Rgb,
    hair: Rgb,
    has_beard: bool,
    tunic: Rgb,
    trim: Rgb,
    trousers: Rgb,
    boots: Rgb,
    cape: Rgb,
    has_mail: bool,
}

const SIZE: usize = 256;

/// A peasant in brown.
pub fn villager() -> Canvas {
    paint(&Looks {
        seed: 0x1000,
        flesh: [206.0, 158.0, 124.0],
        hair: [92.0, 62.0, 36.0],
        has_beard: true,
        tunic: [128.0, 104.0, 66.0],
        trim: [84.0, 62.0, 40.0],
        trousers: [86.0, 84.0, 78.0],
        boots: [72.0, 50.0, 34.0],
        cape: [88.0, 98.0, 66.0],
        has_mail: false,
    })
}

/// A guard in mail and red.
pub fn guard() -> Canvas {
    paint(&Looks {
        seed: 0x1100,
        flesh: [196.0, 148.0, 112.0],
        hair: [58.0, 42.0, 30.0],
        has_beard: false,
        tunic: [142.0, 42.0, 36.0],
        trim: [198.0, 160.0, 74.0],
        trousers: [72.0, 66.0, 62.0],
        boots: [58.0, 44.0, 34.0],
        cape: [132.0, 34.0, 32.0],
        has_mail: true,
    })
}

/// A child in blue.
pub fn child() -> Canvas {
    paint(&Looks {
        seed: 0x1200,
        flesh: [220.0, 172.0, 138.0],
        hair: [176.0, 132.0, 70.0],
        has_beard: false,
        tunic: [70.0, 98.0, 138.0],
        trim: [206.0, 196.0, 164.0],
        trousers: [122.0, 104.0, 76.0],
        boots: [92.0, 66.0, 44.0],
        cape: [70.0, 98.0, 138.0],
        has_mail: false,
    })
}

fn paint(looks: &Looks) -> Canvas {
    type Painter = fn(&Looks, f64, f64) -> Rgb;
    let parts: [([f64; 4], Painter); 7] = [
        (place::HEAD, head),
        (place::TORSO, torso),
        (place::HIPS, hips),
        (place::ARM, arm),
        (place::LEG, leg),
        (place::CAPE, cape),
        (place::HAIR, hair),
    ];
    Canvas::paint(SIZE, |u, v| {
        let found = parts
            .iter()
            .find_map(|(part, paint)| within(*part, u, v).map(|[s, t]| paint(looks, s, t)));
        found.unwrap_or(looks.flesh)
    })
}

/// Woven cloth with soft folds.
fn cloth(looks: &Looks, color: Rgb, s: f64, t: f64) -> Rgb {
    let fold = fbm(looks.seed + 1, s * 7.0, t * 2.0, 3, 1 << 20);
    let weave = gradient(looks.seed + 2, s * 70.0, t * 70.0, 1 << 20);
    scaled(color, 1.0 + 0.22 * fold + 0.07 * weave)
}

fn leather(looks: &Looks, color: Rgb, s: f64, t: f64) -> Rgb {
    let worn = fbm(looks.seed + 3, s * 9.0, t * 9.0, 4, 1 << 20);
    scaled(color, 1.0 + 0.3 * worn)
}

fn strands(looks: &Looks, s: f64, t: f64) -> Rgb {
    let strand = fbm(looks.seed + 4, s * 60.0, t * 5.0, 3, 1 << 20);
    scaled(looks.hair, 1.0 + 0.45 * strand)
}

/// How much a place lies within an ellipse, 0 to 1.
fn spot(s: f64, t: f64, at: [f64; 2], size: [f64; 2]) -> f64 {
    let (x, y) = ((s - at[0]) / size[0], (t - at[1]) / size[1]);
    smoothstep(1.15, 0.85, (x * x + y * y).sqrt())
}

/// The whole head, its face in the middle.
fn head(looks: &Looks, s: f64, t: f64) -> Rgb {
    let mottled = fbm(looks.seed + 5, s * 14.0, t * 8.0, 3, 1 << 20);
    // Both halves of a face are alike.
    let side = (s - 0.5).abs();
    let mut color = scaled(looks.flesh, 1.0 + 0.05 * mottled);
    let cheek = spot(side, t, [0.085, 0.52], [0.05, 0.09]);
    color = blend(color, [214.0, 126.0, 100.0], 0.35 * cheek);
    let socket = spot(side, t, [0.066, 0.385], [0.045, 0.05]);
    color = blend(color, scaled(looks.flesh, 0.72), 0.7 * socket);
    color = blend(
        color,
        [236.0, 232.0, 224.0],
        spot(side, t, [0.066, 0.39], [0.030, 0.026]),
    );
    color = blend(
        color,
        [58.0, 74.0, 66.0],
        spot(side, t, [0.064, 0.39], [0.014, 0.026]),
    );
    color = blend(
        color,
        [16.0, 14.0, 14.0],
        spot(side, t, [0.064, 0.39], [0.007, 0.013]),
    );
    let brow = spot(
        side,
        t + 0.25 * (side - 0.066),
        [0.066, 0.636 / 2.0],
        [0.040, 0.016],
    );
    color = blend(color, scaled(looks.hair, 0.8), 0.9 * brow);
    // Under the nose and the lip.
    color = blend(
        color,
        scaled(looks.flesh, 0.66),
        0.6 * spot(side, t, [0.0, 0.545], [0.034, 0.014]),
    );
    color = blend(
        color,
        [150.0, 78.0, 68.0],
        0.85 * spot(side, t, [0.0, 0.622], [0.052, 0.017]),
    );
    color = blend(
        color,
        scaled(looks.flesh, 0.7),
        0.5 * spot(side, t, [0.0, 0.662], [0.040, 0.013]),
    );
    if looks.has_beard {
        let jaw = smoothstep(0.56, 0.63, t + 0.5 * (side - 0.09)) * smoothstep(0.235, 0.2, side);
        let mouth = spot(side, t, [0.0, 0.622], [0.055, 0.02]);
        let cover = jaw.max(spot(side, t, [0.03, 0.585], [0.045, 0.017])) * (1.0 - mouth);
        color = blend(
            color,
            strands(looks, s, t),
            0.92 * cover * smoothstep(0.9, 0.8, t),
        );
    }
    let hairline = 0.15 + 0.5 * smoothstep(0.13, 0.24, side);
    blend(
        color,
        strands(looks, s, t),
        smoothstep(0.02, -0.02, t - hairline) * smoothstep(0.92, 0.84, t),
    )
}

/// Rings of mail in rows.
fn mail(s: f64, t: f64) -> Rgb {
    let row = (t * 26.0).floor();
    let x = s * 40.0 + 0.5 * row;
    let (fx, fy) = (x - x.floor() - 0.5, t * 26.0 - row - 0.5);
    let far = (fx * fx + fy * fy).sqrt();
    let ring = smoothstep(0.5, 0.36, far) * smoothstep(0.1, 0.26, far);
    blend(
        [52.0, 52.0, 56.0],
        [168.0, 170.0, 176.0],
        ring * (0.75 - 0.5 * fy),
    )
}

/// A tunic with an open collar and a belt; over mail, a surcoat with a trim.
fn torso(looks: &Looks, s: f64, t: f64) -> Rgb {
    let side = (s - 0.5).abs();
    let mut color = cloth(looks, looks.tunic, s, t);
    if looks.has_mail {
        // The coat covers chest and back; arms and sides show the mail.
        let coat = side.min(0.5 - side);
        let edge = 0.14 - 0.03 * smoothstep(0.2, 0.8, t);
        color = match coat < edge {
            true => blend(
                color,
                looks.trim,
                smoothstep(edge - 0.02, edge - 0.012, coat),
            ),
            false => mail(s, t),
        };
    } else {
        let seam = smoothstep(0.008, 0.004, side) * smoothstep(0.5, 0.45, t);
        color = blend(color, looks.trim, seam);
    }
    let collar = t - 0.16 + 1.6 * side;
    if t < 0.3 && side < 0.25 {
        color = blend(color, looks.trim, smoothstep(0.04, 0.02, collar));
        color = blend(color, looks.flesh, smoothstep(0.0, -0.02, collar));
    }
    color = blend(color, looks.flesh, smoothstep(0.07, 0.05, t));
    let shade = 1.0 - 0.18 * smoothstep(0.6, 1.0, t);
    scaled(color, shade)
}

/// A belt, and the skirt of the tunic down to its hem.
fn hips(looks: &Looks, s: f64, t: f64) -> Rgb {
    let pleat = gradient(looks.seed + 6, s * 22.0, t * 1.5, 1 << 20);
    let mut color = scaled(cloth(looks, looks.tunic, s, t), 1.0 + 0.16 * pleat * t);
    if looks.has_mail && t > 0.68 {
        color = mail(s, t);
    }
    color = blend(
        color,
        looks.trim,
        smoothstep(0.905, 0.915, t) * smoothstep(0.985, 0.975, t),
    );
    let belt = smoothstep(0.13, 0.15, t) * smoothstep(0.33, 0.31, t);
    color = blend(color, leather(looks, scaled(looks.boots, 0.9), s, t), belt);
    let buckle = spot(s, t, [0.5, 0.23], [0.03, 0.085]) - spot(s, t, [0.5, 0.23], [0.018, 0.05]);
    blend(color, [202.0, 172.0, 92.0], buckle)
}

/// Sleeve, cuff and hand, in thirds.
fn arm(looks: &Looks, s: f64, t: f64) -> Rgb {
    let (third, down) = ((3.0 * t).floor(), (3.0 * t).fract());
    let sleeve = |color: Rgb| match looks.has_mail && t < 0.3 {
        true => mail(0.5 * s, t),
        false => cloth(looks, color, s, t),
    };
    match third as u32 {
        0 => sleeve(looks.tunic),
        1 => {
            let bracer = smoothstep(0.42, 0.46, down);
            let leather = leather(looks, looks.boots, s, t);
            let lace = smoothstep(0.08, 0.04, (s - 0.5).abs())
                * smoothstep(0.2, 0.35, (down * 9.0).fract());
            let bracer_color = blend(leather, scaled(looks.boots, 0.55), 0.7 * lace);
            blend(sleeve(looks.tunic), bracer_color, bracer)
        }
        _ => {
            let finger = smoothstep(0.1, 0.03, ((s * 8.0).fract() - 0.5).abs())
                * smoothstep(0.45, 0.6, down);
            scaled(looks.flesh, 1.0 - 0.22 * finger)
        }
    }
}

/// Trousers and boots, in thirds.
fn leg(looks: &Looks, s: f64, t: f64) -> Rgb {
    let (third, down) = ((3.0 * t).floor(), (3.0 * t).fract());
    let boot = leather(looks, looks.boots, s, t);
    match third as u32 {
        0 => cloth(looks, looks.trousers, s, t),
        1 => {
            let cuff = smoothstep(0.38, 0.4, down) * smoothstep(0.5, 0.48, down);
            let color = blend(
                cloth(looks, looks.trousers, s, t),
                boot,
                smoothstep(0.38, 0.4, down),
            );
            blend(color, scaled(looks.boots, 1.35), cuff)
        }
        _ => blend(boot, scaled(looks.boots, 0.5), smoothstep(0.86, 0.9, down)),
    }
}

/// A cape with a border.
fn cape(looks: &Looks, s: f64, t: f64) -> Rgb {
    let fold = gradient(looks.seed + 7, s * 9.0, t * 1.2, 1 << 20);
    let color = scaled(cloth(looks, looks.cape, s, t), 1.0 + 0.28 * fold);
    let border = (0.5 - (s - 0.5).abs()).min(1.0 - t);
    let line = smoothstep(0.045, 0.055, border) * smoothstep(0.10, 0.09, border);
    blend(color, looks.trim, 0.9 * line)
}

fn hair(looks: &Looks, s: f64, t: f64) -> Rgb {
    scaled(strands(looks, s, t), 1.05 - 0.25 * t)
}
