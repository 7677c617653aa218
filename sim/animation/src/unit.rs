//! The real x87 unit, for tests: the same formulas in its own instructions, under the engine's control word.

use std::arch::asm;

/// Nearest even, 24-bit significands, all exceptions masked (dossier section 8.2).
const ENGINE_WORD: u16 = 0x007F;
/// The same with 64-bit significands, for the arccosine, which the dossier takes as good to 64 bits.
const FULL_WORD: u16 = 0x037F;

/// Runs x87 code under the engine's control word. The code finds the memory in `{m}`, a pointer, and leaves the
/// register stack as empty as it found it; the control word of the test thread is put back.
macro_rules! x87 {
    ($memory:expr, $($line:literal),+ $(,)?) => {{
        let memory: *mut Memory = $memory;
        // SAFETY: every operand lies in `memory`, which is borrowed mutably for the block; all registers of the
        // unit are declared as clobbered, each block pops what it pushes, and the control word is restored.
        #[expect(unsafe_code, reason = "tests compare with the real unit, which only assembly reaches")]
        unsafe {
            asm!(
                "fnstcw word ptr [{m} + 72]", // keep the control word of the thread
                "fldcw word ptr [{m} + 74]",  // engine's
                $($line,)+
                "fldcw word ptr [{m} + 72]",
                m = in(reg) memory,
                out("st(0)") _, out("st(1)") _, out("st(2)") _, out("st(3)") _,
                out("st(4)") _, out("st(5)") _, out("st(6)") _, out("st(7)") _,
                options(nostack),
            );
        }
    }};
}

/// Operands of the blocks; offsets are what the assembly names.
#[repr(C)]
struct Memory {
    /// 0, 4, ...: what goes in.
    input: [f32; 10],
    /// 40, 44, ...: what comes out, and steps on the way.
    output: [f32; 8],
    /// 72.
    thread_word: u16,
    /// 74.
    engine_word: u16,
    /// 76.
    full_word: u16,
}

impl Memory {
    fn new<const N: usize>(values: [f32; N]) -> Self {
        let mut input = [0.0; 10];
        input[..N].copy_from_slice(&values);
        Self {
            input,
            output: [0.0; 8],
            thread_word: 0,
            engine_word: ENGINE_WORD,
            full_word: FULL_WORD,
        }
    }
}

/// `t - 0.5`, stored by FISTP as 64 bits, for many times under one control word.
pub(super) fn stored_frames(times: &[f32]) -> Vec<i64> {
    let mut frames = vec![0; times.len()];
    if times.is_empty() {
        return frames;
    }
    let mut memory = Memory::new([0.5]);
    #[expect(
        unsafe_code,
        reason = "a control word for each of 2^32 times would take minutes"
    )]
    // SAFETY: the loop reads one f32 and writes one i64 for each of `times.len()` steps, at least one, which is
    // how long both slices are; `memory` holds the rest. Each step pops what it pushes, all registers of the unit
    // are declared as clobbered, and the control word of the thread is restored.
    unsafe {
        asm!(
            "fnstcw word ptr [{m} + 72]",
            "fldcw word ptr [{m} + 74]",
            "2:",
            "fld dword ptr [{times}]",
            "fsub dword ptr [{m}]",
            "fistp qword ptr [{frames}]",
            "add {times}, 4",
            "add {frames}, 8",
            "dec {n}",
            "jnz 2b",
            "fldcw word ptr [{m} + 72]",
            m = in(reg) &raw mut memory,
            times = inout(reg) times.as_ptr() => _,
            frames = inout(reg) frames.as_mut_ptr() => _,
            n = inout(reg) times.len() => _,
            out("st(0)") _, out("st(1)") _, out("st(2)") _, out("st(3)") _,
            out("st(4)") _, out("st(5)") _, out("st(6)") _, out("st(7)") _,
            options(nostack),
        );
    }
    frames
}

/// `(t - from) / (to - from)`.
pub(super) fn quotient(t: f32, from: f32, to: f32) -> f32 {
    let mut memory = Memory::new([t, from, to]);
    x87!(
        &mut memory,
        "fld dword ptr [{m} + 8]",
        "fsub dword ptr [{m} + 4]",
        "fld dword ptr [{m}]",
        "fsub dword ptr [{m} + 4]",
        "fdiv st, st(1)",
        "fstp dword ptr [{m} + 40]",
        "fstp st(0)",
    );
    memory.output[0]
}

/// `from + (to - from) * a`.
pub(super) fn lerp(from: f32, to: f32, a: f32) -> f32 {
    let mut memory = Memory::new([from, to, a]);
    x87!(
        &mut memory,
        "fld dword ptr [{m} + 4]",
        "fsub dword ptr [{m}]",
        "fmul dword ptr [{m} + 8]",
        "fadd dword ptr [{m}]",
        "fstp dword ptr [{m} + 40]",
    );
    memory.output[0]
}

/// The sum of four products, from the first on.
pub(super) fn dot(a: [f32; 4], b: [f32; 4]) -> f32 {
    let mut memory = Memory::new([a[0], a[1], a[2], a[3], b[0], b[1], b[2], b[3]]);
    x87!(
        &mut memory,
        "fld dword ptr [{m}]",
        "fmul dword ptr [{m} + 16]",
        "fld dword ptr [{m} + 4]",
        "fmul dword ptr [{m} + 20]",
        "faddp st(1), st",
        "fld dword ptr [{m} + 8]",
        "fmul dword ptr [{m} + 24]",
        "faddp st(1), st",
        "fld dword ptr [{m} + 12]",
        "fmul dword ptr [{m} + 28]",
        "faddp st(1), st",
        "fstp dword ptr [{m} + 40]",
    );
    memory.output[0]
}

/// `w0 * from + w1 * to`.
pub(super) fn mix(w0: f32, from: f32, w1: f32, to: f32) -> f32 {
    let mut memory = Memory::new([w0, from, w1, to]);
    x87!(
        &mut memory,
        "fld dword ptr [{m}]",
        "fmul dword ptr [{m} + 4]",
        "fld dword ptr [{m} + 8]",
        "fmul dword ptr [{m} + 12]",
        "faddp st(1), st",
        "fstp dword ptr [{m} + 40]",
    );
    memory.output[0]
}

/// `w0, w1` of the great circle: angle, its inverse sine and both weights are stored as 32 bits, the results of
/// FSIN and FCOS stay in registers.
pub(super) fn circle_weights(cosine: f32, a: f32) -> (f32, f32) {
    let mut memory = Memory::new([cosine, a]);
    x87!(
        &mut memory,
        // angle = arctangent of sqrt((1 - d)(1 + d)) over d, 64 bits throughout
        "fldcw word ptr [{m} + 76]",
        "fld dword ptr [{m}]",
        "fld1",
        "fadd st, st(1)",
        "fld1",
        "fsub st, st(2)",
        "fmulp st(1), st",
        "fsqrt",
        "fxch st(1)",
        "fpatan",
        "fstp dword ptr [{m} + 40]",
        "fldcw word ptr [{m} + 74]",
        // r = 1 / sin(angle)
        "fld dword ptr [{m} + 40]",
        "fsin",
        "fld1",
        "fdiv st, st(1)",
        "fstp dword ptr [{m} + 44]",
        "fstp st(0)",
        // w1 = sin(a * angle) * r
        "fld dword ptr [{m} + 4]",
        "fmul dword ptr [{m} + 40]",
        "fsin",
        "fmul dword ptr [{m} + 44]",
        "fstp dword ptr [{m} + 48]",
        // w0 = cos(a * angle) - w1 * d
        "fld dword ptr [{m} + 4]",
        "fmul dword ptr [{m} + 40]",
        "fcos",
        "fld dword ptr [{m} + 48]",
        "fmul dword ptr [{m}]",
        "fxch st(1)",
        "fsub st, st(1)",
        "fstp dword ptr [{m} + 52]",
        "fstp st(0)",
    );
    (memory.output[3], memory.output[2])
}

/// The arccosine as a library gives it that leaves the engine's control word alone: only FPATAN has 64 bits.
pub(super) fn acos_under_engine_word(cosine: f32) -> f32 {
    let mut memory = Memory::new([cosine]);
    x87!(
        &mut memory,
        "fld dword ptr [{m}]",
        "fld1",
        "fadd st, st(1)",
        "fld1",
        "fsub st, st(2)",
        "fmulp st(1), st",
        "fsqrt",
        "fxch st(1)",
        "fpatan",
        "fstp dword ptr [{m} + 40]",
    );
    memory.output[0]
}
