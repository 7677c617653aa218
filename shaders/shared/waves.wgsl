// Small waves of water.
//
// They depend on nothing but place and time, so faces of the level and the sea beyond join without a seam.

// Waves: 2 pi / wavelength (world units) along the direction of travel, steepness, and radians per second:
// whole tenths, so that all waves repeat together (`uniforms::WAVE_PERIOD_SECS`).
const N_WAVES: u32 = 7u;
const WAVE_VECTORS = array(
    vec2<f32>(0.21, 0.08), vec2<f32>(-0.16, 0.33), vec2<f32>(0.55, -0.37), vec2<f32>(0.41, 0.83),
    vec2<f32>(-1.35, 0.62), vec2<f32>(0.40, 2.30), vec2<f32>(-2.90, -1.70),
);
const WAVE_STEEPNESS = array(0.014, 0.018, 0.026, 0.032, 0.036, 0.032, 0.028);
const WAVE_SPEEDS = array(0.7, 0.9, 1.2, 1.5, 1.9, 2.6, 3.3);

// `position` in units of the waves.
fn wave_slope(position: vec2<f32>) -> vec2<f32> {
    var vectors = WAVE_VECTORS;
    var steepness = WAVE_STEEPNESS;
    var speeds = WAVE_SPEEDS;
    var slope = vec2(0.0);
    for (var i = 0u; i < N_WAVES; i++) {
        let phase = dot(vectors[i], position) + speeds[i] * frame.wave_secs;
        // A wave that is smaller than a pixel is left out before it flickers.
        let visible = saturate(1.3 - 1.5 * fwidth(dot(vectors[i], position)));
        slope += normalize(vectors[i]) * steepness[i] * visible * cos(phase);
    }
    return slope;
}
