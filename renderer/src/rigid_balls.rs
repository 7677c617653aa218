//! Balls around what the nodes of a model carry, placed and joined four numbers at a time, since every instance that
//! moves needs another one in each frame. Plain arithmetic, no GPU.

use glam::{Mat4, Vec3A, Vec4, Vec4Swizzles};
use ironlands_scene::{Affine, Sphere};

/// A ball in the space of a node, around all that the node carries.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct NodeBall {
    pub node: u32,
    /// x, y, z and 1.
    center: Vec4,
    radius: f32,
}

impl NodeBall {
    pub fn new(node: u32, ball: &Sphere) -> Self {
        Self {
            node,
            center: Vec4::from((Vec3A::from(ball.center), 1.0)),
            radius: ball.radius,
        }
    }

    /// Around this one and another of the same node.
    fn with(&self, other: &Self) -> Self {
        let [a, b] = [self, other].map(|it| Vec4::from((Vec3A::from_vec4(it.center), it.radius)));
        let both = around_both(a, b);
        Self {
            node: self.node,
            center: Vec4::from((Vec3A::from_vec4(both), 1.0)),
            radius: both.w,
        }
    }

    /// x, y, z and radius of a ball around all that this one becomes; [`Affine::max_scale`] says why.
    #[inline]
    pub fn placed(&self, world_from_node: &Affine) -> Vec4 {
        let [a, b, c] = world_from_node.0.map(Vec4::from_array);
        let products = [a, b, c].map(|row| row * self.center);
        let sums = Mat4::from_cols(products[0], products[1], products[2], Vec4::ZERO).transpose();
        let center = sums.x_axis + sums.y_axis + sums.z_axis + sums.w_axis;
        // Squares of the axes, and products of each with the next; the last number belongs to no axis.
        let squares = a * a + b * b + c * c;
        let others = (a * a.yzxw() + b * b.yzxw() + c * c.yzxw()).abs();
        let rows = squares + others + others.zxyw();
        let scale = rows.x.max(rows.y).max(rows.z).sqrt();
        center + Vec4::new(0.0, 0.0, 0.0, self.radius * scale)
    }
}

/// For each node a ball around all of its own.
pub(crate) fn joined_by_node(balls: impl Iterator<Item = NodeBall>) -> Vec<NodeBall> {
    let mut balls: Vec<_> = balls.collect();
    balls.sort_by_key(|ball| ball.node);
    balls.dedup_by(|next, ball| {
        let is_joined = next.node == ball.node;
        if is_joined {
            *ball = ball.with(next);
        }
        is_joined
    });
    balls
}

/// A ball around two, each x, y, z and radius. What is not finite is nowhere, and left out.
#[inline]
pub(crate) fn around_both(a: Vec4, b: Vec4) -> Vec4 {
    if !a.is_finite() {
        return b;
    }
    if !b.is_finite() {
        return a;
    }
    let way = b - a;
    let distance = Vec3A::from_vec4(way).length();
    // How much farther the other reaches on the far side.
    if distance + way.w <= 0.0 {
        return a;
    }
    if distance - way.w <= 0.0 {
        return b;
    }
    let radius = 0.5 * (distance + a.w + b.w);
    let center = Vec3A::from_vec4(a) + Vec3A::from_vec4(way) * ((radius - a.w) / distance);
    // Room for what rounding takes.
    let room = radius * 1e-5 + center.abs().element_sum() * 1e-5;
    Vec4::from((center, radius + room))
}

/// A ball around balls, those that are nowhere left out; none without any.
pub(crate) fn around(balls: impl Iterator<Item = Sphere>) -> Option<Sphere> {
    let balls = balls.map(|it| Vec4::from((Vec3A::from(it.center), it.radius)));
    let all = balls.reduce(around_both).filter(|it| it.is_finite())?;
    Some(Sphere {
        center: Vec3A::from_vec4(all).to_array(),
        radius: all.w,
    })
}

#[cfg(test)]
mod tests {
    use glam::Vec3;

    use super::*;

    /// Numbers from -1 to 1, others with each seed.
    fn numbers<const N: usize>(seed: u16) -> [f32; N] {
        std::array::from_fn(|i| (f32::from(seed) * 1.37 + i as f32 * 2.11).sin())
    }

    fn matrix(seed: u16) -> Affine {
        let rows: [f32; 12] = numbers(seed);
        Affine(std::array::from_fn(|row| {
            std::array::from_fn(|column| rows[4 * row + column] * 3.0)
        }))
    }

    #[test]
    fn a_ball_is_placed_as_its_matrix_says() {
        for seed in 0..500 {
            let matrix = matrix(seed);
            let [x, y, z, radius] = numbers(seed + 7);
            let center = [x, y, z];
            let radius = radius.abs();
            let placed = NodeBall::new(0, &Sphere { center, radius }).placed(&matrix);
            let expected = Vec3::from(matrix.transform_point(center));
            // Sums of a few numbers below 10 in f32.
            assert!(placed.truncate().distance(expected) < 1e-5, "{placed}");
            assert!((placed.w - radius * matrix.max_scale()).abs() < 1e-5);
        }
    }

    #[test]
    fn a_ball_around_two_holds_both_and_no_more_than_it_has_to() {
        for seed in 0..500 {
            let [a, b] = [seed, seed + 900].map(|seed| {
                let [x, y, z, radius] = numbers(seed);
                Vec4::new(x * 9.0, y * 9.0, z * 9.0, radius.abs() * 8.0)
            });
            let both = around_both(a, b);
            let reach = |ball: Vec4| both.truncate().distance(ball.truncate()) + ball.w;
            let farthest = reach(a).max(reach(b));
            assert!(farthest <= both.w + 1e-5, "{a} {b} {both}");
            assert!(both.w <= farthest + 1e-3, "{a} {b} {both}");
        }
    }

    #[test]
    fn what_is_nowhere_is_left_out() {
        let ball = Vec4::new(1.0, 2.0, 3.0, 4.0);
        for nowhere in [f32::NAN, f32::INFINITY] {
            assert_eq!(around_both(ball, ball * nowhere), ball);
            assert_eq!(around_both(ball * nowhere, ball), ball);
        }
        assert_eq!(around(std::iter::empty()), None);
    }

    #[test]
    fn a_node_has_one_ball_around_all_of_its_own() {
        let ball = |node, x: f32| {
            let center = [x, 0.0, 0.0];
            NodeBall::new(
                node,
                &Sphere {
                    center,
                    radius: 1.0,
                },
            )
        };
        let balls = [ball(3, 5.0), ball(1, 0.0), ball(3, 9.0)];
        let balls = joined_by_node(balls.into_iter());
        assert_eq!(balls.len(), 2);
        assert_eq!(balls[0], ball(1, 0.0));
        let both = balls[1].placed(&Affine::IDENTITY);
        assert!((both - Vec4::new(7.0, 0.0, 0.0, 3.0)).abs().max_element() < 1e-3);
    }
}
