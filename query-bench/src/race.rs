//! The clock: contestants take turns, and the best of many turns counts.
//!
//! Other work on the machine only ever makes a turn slower, and it comes and goes over seconds; so contestants
//! alternate instead of running one after another, and the minimum is the figure that repeats best. Each turn
//! runs the whole set twice, so that no contestant pays for what the previous one left in the caches.

use crate::peer::Boxed;
use crate::{Form, Ours, Peer};
use std::time::{Duration, Instant};

/// More time than this says nothing new about a contestant.
pub const TIME_ENOUGH: Duration = Duration::from_secs(2);

/// The contestants: our batch form, ours one call at a time, then each peer one call at a time. `run_query` prepares
/// the queries.
pub fn contestants<'a, A>(
    ours: &'a Ours,
    peers: &'a [Box<dyn Peer>],
    run_query: impl Fn(&'a dyn Peer, Form) -> Option<Boxed<'a, A>>,
) -> Vec<Option<Boxed<'a, A>>> {
    let ours = [Form::Batch, Form::Single].map(|form| run_query(ours, form));
    let peers = peers.iter().map(|peer| run_query(&**peer, Form::Single));
    ours.into_iter().chain(peers).collect()
}

/// The shortest time in which each contestant runs its set; `None` for one without such a query.
///
/// A contestant that has used up [`TIME_ENOUGH`] skips the remaining rounds, so that one slow query does not take
/// hours.
pub fn shortest<A>(contestants: &mut [Option<Boxed<A>>], rounds: usize) -> Vec<Option<Duration>> {
    let mut best: Vec<Option<Duration>> = vec![None; contestants.len()];
    let mut used = vec![Duration::ZERO; contestants.len()];
    for _ in 0..rounds {
        for (k, contestant) in contestants.iter_mut().enumerate() {
            let Some(contestant) = contestant else {
                continue;
            };
            for _ in 0..2 {
                if used[k] < TIME_ENOUGH {
                    let time = time_of(|| contestant.run());
                    used[k] += time;
                    best[k] = Some(best[k].map_or(time, |best| best.min(time)));
                }
            }
        }
    }
    best
}

/// How long something takes, once. What it returns is dropped after the clock has stopped.
pub fn time_of<T>(work: impl FnOnce() -> T) -> Duration {
    let start = Instant::now();
    let done = std::hint::black_box(work());
    let time = start.elapsed();
    drop(done);
    time
}

/// Nanoseconds for each of `n` queries.
pub fn ns_each(time: Duration, n: usize) -> f64 {
    time.as_nanos() as f64 / n as f64
}

/// The exponent `k` of `y = c * x^k` by least squares on logarithms.
pub fn fitted_exponent(points: &[(f64, f64)]) -> f64 {
    let logs: Vec<(f64, f64)> = points.iter().map(|(x, y)| (x.ln(), y.ln())).collect();
    let n = logs.len() as f64;
    let mean_x = logs.iter().map(|(x, _)| x).sum::<f64>() / n;
    let mean_y = logs.iter().map(|(_, y)| y).sum::<f64>() / n;
    let covariance: f64 = logs.iter().map(|(x, y)| (x - mean_x) * (y - mean_y)).sum();
    let variance: f64 = logs.iter().map(|(x, _)| (x - mean_x).powi(2)).sum();
    covariance / variance
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_power_has_its_exponent() {
        let points = [1.0, 10.0, 70.0_f64].map(|x| (x, 3.0 * x.powf(0.25)));
        assert!((fitted_exponent(&points) - 0.25).abs() < 1e-12);
    }
}
