//! Transforms as animation computes them, row after row.

use glam::{Mat4, Vec4};

/// A 4x4 matrix for column vectors, row after row: the translation is in elements 3, 7 and 11.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RowMatrix(pub [f32; 16]);

impl RowMatrix {
    /// No rotation, no translation.
    pub const IDENTITY: Self = Self([
        1.0, 0.0, 0.0, 0.0, //
        0.0, 1.0, 0.0, 0.0, //
        0.0, 0.0, 1.0, 0.0, //
        0.0, 0.0, 0.0, 1.0,
    ]);

    /// Three rows, and 0 0 0 1 below them.
    pub fn from_rows([a, b, c]: [[f32; 4]; 3]) -> Self {
        let rows = [a, b, c, [0.0, 0.0, 0.0, 1.0]];
        Self(std::array::from_fn(|i| rows[i / 4][i % 4]))
    }

    /// `self * other`: each element the sum of four products, from the first on.
    pub fn times(&self, other: &Self) -> Self {
        let other = other.rows();
        let mut product = Self::IDENTITY;
        for (row, out) in self.rows().into_iter().zip(product.0.chunks_exact_mut(4)) {
            let sum = other[0] * row.x + other[1] * row.y + other[2] * row.z + other[3] * row.w;
            out.copy_from_slice(&sum.to_array());
        }
        product
    }

    fn rows(&self) -> [Vec4; 4] {
        std::array::from_fn(|row| Vec4::from_slice(&self.0[row * 4..]))
    }

    /// The first three rows; the fourth of a transform is 0 0 0 1.
    pub fn upper_rows(&self) -> [[f32; 4]; 3] {
        std::array::from_fn(|row| std::array::from_fn(|column| self.0[row * 4 + column]))
    }

    /// The same matrix for glam, which keeps columns together.
    pub fn to_mat4(&self) -> Mat4 {
        Mat4::from_cols_array(&self.0).transpose()
    }
}

impl From<Mat4> for RowMatrix {
    fn from(matrix: Mat4) -> Self {
        Self(matrix.transpose().to_cols_array())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_stay_rows() {
        let rows = [0.0, 4.0, 8.0].map(|first| [first, first + 1.0, first + 2.0, first + 3.0]);
        let matrix = RowMatrix::from_rows(rows);
        assert_eq!(matrix.upper_rows(), rows);
        assert_eq!(matrix.0[12..], [0.0, 0.0, 0.0, 1.0]);
    }
}
