// What surfaces are made of in place of how they look: edges, normals, texture coordinates, or how many lie over each
// other.

// The numbers are those of `frame_state::SurfaceView`.
override SURFACE_VIEW: u32 = 0u;

const VIEW_WIREFRAME: u32 = 1u;
const VIEW_NORMALS: u32 = 2u;
const VIEW_TEXTURE_COORDINATES: u32 = 3u;

// Squares of the pattern along one repetition of a texture.
const SQUARES: f32 = 8.0;
// What one surface adds to a pixel: twelve are white.
const OVERDRAW_STEP: vec3<f32> = vec3(0.16, 0.085, 0.05);

// `normal` in the world, of any length but 0.
fn view_color(normal: vec3<f32>, uv: vec2<f32>) -> vec4<f32> {
    if SURFACE_VIEW == VIEW_WIREFRAME {
        return vec4(0.75, 0.85, 0.95, 1.0);
    }
    if SURFACE_VIEW == VIEW_NORMALS {
        return vec4(normal / max(length(normal), 1e-6) * 0.5 + 0.5, 1.0);
    }
    if SURFACE_VIEW == VIEW_TEXTURE_COORDINATES {
        let squares = floor(uv * SQUARES);
        let is_dark = fract((squares.x + squares.y) * 0.5) > 0.25;
        return vec4(fract(uv), select(0.75, 0.25, is_dark), 1.0);
    }
    return vec4(OVERDRAW_STEP, 1.0);
}
