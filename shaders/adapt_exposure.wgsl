// What exposure a counted picture calls for, and how far it gets there in a frame. Forgets the counts.

// Twin of `passes::exposure::ExposureUniform`; as in `ironlands_scene::AutoExposure`.
struct AutoExposure {
    least: f32,
    most: f32,
    bright_share: f32,
    bright_target: f32,
    min_mean: f32,
    // Of the way to the wanted exposure, up and down.
    rise: f32,
    fall: f32,
    // Multiplies what is shown, whatever the picture.
    bias: f32,
}

struct Adapted {
    exposure: f32,
    // With the bias.
    shown: f32,
}

@group(0) @binding(1) var<storage, read_write> counts: array<atomic<u32>, 256>;
@group(0) @binding(2) var<uniform> auto_exposure: AutoExposure;
@group(0) @binding(3) var<storage, read_write> adapted: Adapted;

const N_BINS: u32 = 256u;
const DARKEST: f32 = 1e-4;

@compute @workgroup_size(1)
fn cs_main() {
    var total = 0u;
    for (var bin = 0u; bin < N_BINS; bin++) {
        total += atomicLoad(&counts[bin]);
    }
    let bright = exceeded_by(auto_exposure.bright_share, total);
    let middle = exceeded_by(0.5, total);
    let factor = max(
        auto_exposure.bright_target / max(bright, DARKEST),
        auto_exposure.min_mean / max(middle, DARKEST),
    );
    // What is shown has the bias in it, and so has what was counted.
    let wanted = clamp(adapted.exposure * factor, auto_exposure.least, auto_exposure.most);
    let share = select(auto_exposure.rise, auto_exposure.fall, wanted < adapted.exposure);
    adapted.exposure = mix(adapted.exposure, wanted, share);
    adapted.shown = adapted.exposure * auto_exposure.bias;
    for (var bin = 0u; bin < N_BINS; bin++) {
        atomicStore(&counts[bin], 0u);
    }
}

// The linear luminance that a share of all pixels exceeds. Within a bin pixels count as evenly spread.
fn exceeded_by(share: f32, total: u32) -> f32 {
    var left = share * f32(total);
    for (var step = 1u; step <= N_BINS; step++) {
        let bin = N_BINS - step;
        let here = f32(atomicLoad(&counts[bin]));
        if here > 0.0 && left <= here {
            let shown = (f32(bin) + 1.0 - left / here) / f32(N_BINS);
            return linear_from_display(vec3(shown)).x / auto_exposure.bias;
        }
        left -= here;
    }
    return 0.0;
}
