//! Densities of clouds as a picture that repeats without a seam. Plain arithmetic, no GPU.

/// Pixels along a side.
pub const SIDE: usize = 256;
/// Cells of the coarsest noise along a side: sizes of the largest clouds (`CLOUDS_PER_TEXTURE` in `sky.wgsl`).
const CELLS: usize = 4;
/// Each finer octave has twice the cells and half the weight.
const N_OCTAVES: u32 = 6;

/// Two fields, red and green of each pixel: every value comes as often as every other, so that a threshold covers the
/// share of the sky that it says.
pub fn pixels() -> Vec<[u8; 2]> {
    let [red, green] = [1, 2].map(|seed| evenly_spread(&field(seed)));
    red.into_iter().zip(green).map(|(r, g)| [r, g]).collect()
}

fn field(seed: u32) -> Vec<f32> {
    let at = |index: usize| [index % SIDE, index / SIDE].map(|it| it as f32 / SIDE as f32);
    let places = (0..SIDE * SIDE).map(at);
    places.map(|place| sum_of_octaves(place, seed)).collect()
}

fn sum_of_octaves(place: [f32; 2], seed: u32) -> f32 {
    let octaves = (0..N_OCTAVES).map(|octave| {
        let n_cells = CELLS << octave;
        noise(place, n_cells, seed * 16 + octave) / (1 << octave) as f32
    });
    octaves.sum()
}

/// Numbers at the corners of cells, smoothly blended in between.
fn noise(place: [f32; 2], n_cells: usize, seed: u32) -> f32 {
    let [x, y] = place.map(|it| it * n_cells as f32);
    let [column, row] = [x, y].map(|it| it as usize % n_cells);
    let [u, v] = [x.fract(), y.fract()].map(|it| it * it * (3.0 - 2.0 * it));
    let corner = |dx: usize, dy: usize| {
        number(
            [(column + dx) % n_cells, (row + dy) % n_cells].map(|it| it as u32),
            seed,
        )
    };
    let mix = |a: f32, b: f32, share: f32| a + (b - a) * share;
    let low = mix(corner(0, 0), corner(1, 0), u);
    mix(low, mix(corner(0, 1), corner(1, 1), u), v)
}

/// A number in 0..1 for each corner: the finalizer of MurmurHash3.
fn number([column, row]: [u32; 2], seed: u32) -> f32 {
    let mut bits = column.wrapping_mul(0x9E37_79B1) ^ row.wrapping_mul(0x85EB_CA77) ^ (seed << 20);
    bits = (bits ^ (bits >> 16)).wrapping_mul(0x85EB_CA6B);
    bits = (bits ^ (bits >> 13)).wrapping_mul(0xC2B2_AE35);
    (bits ^ (bits >> 16)) as f32 / u32::MAX as f32
}

/// The rank of each value among all of them.
fn evenly_spread(values: &[f32]) -> Vec<u8> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|a, b| values[*a].total_cmp(&values[*b]));
    let mut ranks = vec![0; values.len()];
    for (rank, index) in order.into_iter().enumerate() {
        ranks[index] = (rank * 256 / values.len()) as u8;
    }
    ranks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_density_is_equally_frequent_and_edges_meet() {
        let pixels = pixels();
        for channel in 0..2 {
            let mut counts = [0; 256];
            for pixel in &pixels {
                counts[usize::from(pixel[channel])] += 1;
            }
            assert!(counts.iter().all(|count| *count == SIDE * SIDE / 256));
            let step = |a: usize, b: usize| {
                let [a, b] = [a, b].map(|it| i32::from(pixels[it][channel]));
                (a - b).abs()
            };
            let rows = || (0..SIDE).map(|row| row * SIDE);
            let across_edge: i32 = rows().map(|row| step(row, row + SIDE - 1)).sum();
            let inside: i32 = rows()
                .map(|row| step(row + SIDE / 2, row + SIDE / 2 - 1))
                .sum();
            assert!(across_edge < 2 * inside, "{across_edge} {inside}");
        }
    }
}
