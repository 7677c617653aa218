//! Parts of a directed graph in which every node leads to every other.

/// What is not numbered yet.
const UNSEEN: u32 = u32::MAX;

/// The number of each node's part, and how many there are. A part that leads to another has the higher number.
///
/// `edge(node, k)` is where the k-th edge of a node leads, `None` behind the last. Tarjan's algorithm with a stack of
/// its own, so that depth costs no recursion.
pub(super) fn strong_components(
    n_nodes: usize,
    edge: impl Fn(u32, u32) -> Option<u32>,
) -> (Vec<u32>, u32) {
    let mut parts = vec![UNSEEN; n_nodes];
    let mut order = vec![UNSEEN; n_nodes];
    let mut low = vec![0; n_nodes];
    let mut open = Vec::new();
    let mut calls = Vec::new();
    let (mut n_seen, mut n_parts) = (0, 0);
    for root in 0..n_nodes as u32 {
        if order[root as usize] != UNSEEN {
            continue;
        }
        calls.push((root, 0));
        while let Some((node, k)) = calls.pop() {
            let at = node as usize;
            if k == 0 {
                order[at] = n_seen;
                low[at] = n_seen;
                n_seen += 1;
                open.push(node);
            }
            if let Some(next) = edge(node, k) {
                calls.push((node, k + 1));
                let to = next as usize;
                if order[to] == UNSEEN {
                    calls.push((next, 0));
                } else if parts[to] == UNSEEN {
                    low[at] = low[at].min(order[to]);
                }
                continue;
            }
            if low[at] == order[at] {
                while let Some(member) = open.pop() {
                    parts[member as usize] = n_parts;
                    if member == node {
                        break;
                    }
                }
                n_parts += 1;
            }
            if let Some(&(before, _)) = calls.last() {
                let before = before as usize;
                low[before] = low[before].min(low[at]);
            }
        }
    }
    (parts, n_parts)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(n: usize, edges: &[(u32, u32)]) -> (Vec<u32>, u32) {
        let of = |node: u32| edges.iter().filter(move |edge| edge.0 == node);
        strong_components(n, |node, k| of(node).nth(k as usize).map(|edge| edge.1))
    }

    #[test]
    fn rings_are_parts_and_lead_down() {
        let edges = [(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (4, 3), (5, 5)];
        let (found, n) = parts(6, &edges);
        assert_eq!(n, 3);
        assert_eq!(found[0], found[1]);
        assert_eq!(found[1], found[2]);
        assert_eq!(found[3], found[4]);
        assert!(
            found[0] > found[3],
            "a part that leads on has the higher number"
        );
        assert_ne!(found[5], found[0]);
    }

    /// Against reachability by a plain flood.
    #[test]
    fn parts_agree_with_floods() {
        let mut seed = 1_u64;
        let mut draw = |n: u64| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            ((seed >> 33) % n) as u32
        };
        for _ in 0..50 {
            let n = 12;
            let edges: Vec<_> = (0..18).map(|_| (draw(n), draw(n))).collect();
            let (found, _) = parts(n as usize, &edges);
            let reaches = |from: u32, to: u32| {
                let mut seen = vec![from];
                let mut at = 0;
                while at < seen.len() {
                    let here = seen[at];
                    let next = edges
                        .iter()
                        .filter(|edge| edge.0 == here)
                        .map(|edge| edge.1);
                    let new: Vec<u32> = next.filter(|next| !seen.contains(next)).collect();
                    seen.extend(new);
                    at += 1;
                }
                seen.contains(&to)
            };
            for a in 0..n as u32 {
                for b in 0..n as u32 {
                    let same = found[a as usize] == found[b as usize];
                    assert_eq!(same, reaches(a, b) && reaches(b, a), "{a} {b} {edges:?}");
                    assert!(!reaches(a, b) || found[a as usize] >= found[b as usize]);
                }
            }
        }
    }
}
