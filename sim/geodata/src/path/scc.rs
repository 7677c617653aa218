//! Parts of a directed graph in which every node leads to every other.

/// Visit order of a node: not visited yet.
const UNSEEN: u32 = u32::MAX;
/// Of a part that is known, so that it lowers nothing.
const FINISHED: u32 = u32::MAX - 1;

/// A node whose edges are gone through.
struct Call {
    node: u32,
    /// The earliest node that is open and can be come to.
    low: u32,
    /// Edges that are left.
    next: u32,
    end: u32,
}

/// The number of each node's part, and how many there are. A part that leads to another has the higher number.
///
/// `firsts` is the first edge of each node and the number of all edges, `end_of` where an edge leads. Tarjan's
/// algorithm with a stack of its own, so that depth costs no recursion.
pub(super) fn strong_components(firsts: &[u32], end_of: impl Fn(u32) -> u32) -> (Vec<u32>, u32) {
    let n_nodes = firsts.len().saturating_sub(1);
    let mut parts = vec![UNSEEN; n_nodes];
    let mut order = vec![UNSEEN; n_nodes];
    let mut open = Vec::new();
    let mut calls: Vec<Call> = Vec::new();
    let (mut n_seen, mut n_parts) = (0, 0);
    for root in 0..n_nodes as u32 {
        let mut entered = (order[root as usize] == UNSEEN).then_some(root);
        loop {
            if let Some(node) = entered.take() {
                order[node as usize] = n_seen;
                open.push(node);
                calls.push(Call {
                    node,
                    low: n_seen,
                    next: firsts[node as usize],
                    end: firsts[node as usize + 1],
                });
                n_seen += 1;
            }
            let Some(call) = calls.last_mut() else {
                break;
            };
            while call.next < call.end && entered.is_none() {
                let to = end_of(call.next);
                call.next += 1;
                match order[to as usize] {
                    UNSEEN => entered = Some(to),
                    met => call.low = call.low.min(met),
                }
            }
            if entered.is_some() {
                continue;
            }
            let Call { node, low, .. } = *call;
            calls.pop();
            if low == order[node as usize] {
                while let Some(member) = open.pop() {
                    parts[member as usize] = n_parts;
                    order[member as usize] = FINISHED;
                    if member == node {
                        break;
                    }
                }
                n_parts += 1;
            }
            if let Some(before) = calls.last_mut() {
                before.low = before.low.min(low);
            }
        }
    }
    (parts, n_parts)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(n: u32, edges: &[(u32, u32)]) -> (Vec<u32>, u32) {
        let (mut firsts, mut ends) = (vec![0], Vec::new());
        for node in 0..n {
            let of = edges.iter().filter(|edge| edge.0 == node);
            ends.extend(of.map(|edge| edge.1));
            firsts.push(ends.len() as u32);
        }
        strong_components(&firsts, |edge| ends[edge as usize])
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
            let (found, _) = parts(n as u32, &edges);
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
