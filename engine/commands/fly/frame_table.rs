//! How long frames took, as a table.

use std::io::Write;
use std::time::Duration;

use crate::error::AppError;
use crate::frame_budget::FrameBudget;
use crate::frame_times::{FrameSummary, millis};

/// Prints the table; nothing if there were no frames.
///
/// # Errors
/// If the output cannot be written.
pub fn print_frame_times(times: &[Duration], out: &mut dyn Write) -> Result<(), AppError> {
    let Some(summary) = FrameSummary::from_times(times.iter().copied()) else {
        // The window was closed before the first frame.
        return Ok(());
    };
    let FrameSummary {
        n_frames,
        min,
        median,
        p99,
        max,
        total: _,
    } = summary;
    writeln!(out, "frames  min ms  median ms  p99 ms  max ms  frames/s")?;
    writeln!(
        out,
        "{n_frames:6}  {:6.2}  {:9.2}  {:6.2}  {:6.2}  {:8.1}",
        millis(min),
        millis(median),
        millis(p99),
        millis(max),
        summary.frames_per_sec(),
    )?;
    Ok(())
}

/// Prints what a budget has led to; nothing without one.
///
/// # Errors
/// If the output cannot be written.
pub fn print_budget(budget: &FrameBudget, out: &mut dyn Write) -> Result<(), AppError> {
    if let (Some(whole), Some(scale)) = (budget.budget(), budget.scale()) {
        let measured = budget.measured().map(millis);
        let measured =
            measured.map_or_else(|| "too few frames".to_owned(), |ms| format!("{ms:.2} ms"));
        let percent = scale.share() * 100.0;
        let whole = millis(whole);
        writeln!(
            out,
            "scale {percent} %, drawn in {measured} of {whole:.2} ms"
        )?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frame_times_print_as_a_table() {
        let mut out = Vec::new();
        let times = [2, 4, 3].map(Duration::from_millis);
        print_frame_times(&times, &mut out).unwrap();
        let lines: Vec<_> = std::str::from_utf8(&out).unwrap().lines().collect();
        assert_eq!(lines.len(), 2);
        assert_eq!(lines[0].len(), lines[1].len(), "columns line up");
        let columns: Vec<_> = lines[1].split_whitespace().collect();
        assert_eq!(columns, ["3", "2.00", "3.00", "4.00", "4.00", "333.3"]);
    }

    #[test]
    fn a_budget_prints_its_scale() {
        let printed = |budget: &FrameBudget| {
            let mut out = Vec::new();
            print_budget(budget, &mut out).unwrap();
            String::from_utf8(out).unwrap()
        };
        assert_eq!(printed(&FrameBudget::default()), "");
        let mut budget = FrameBudget::new(Some(Duration::from_millis(20)));
        assert_eq!(
            printed(&budget),
            "scale 100 %, drawn in too few frames of 20.00 ms\n"
        );
        for _ in 0..10 {
            budget.push(Duration::from_millis(30));
        }
        assert_eq!(
            printed(&budget),
            "scale 75 %, drawn in 30.00 ms of 20.00 ms\n"
        );
    }
}
