//! Vectors of texts: a byte for each dimension, compared by their angle; and two orders of the same passages made into one.
//!
//! Models disagree about what a high cosine is: for some, texts of nothing in common have 0.8. So a score says how far a passage stands out
//! from all others of the same search.

/// Passages that are taken to have nothing in common with any question, so that one of few can stand out.
const STRANGERS: f64 = 8.0;
/// How little the first ranks differ. The usual constant of reciprocal rank fusion.
const RANKS: f64 = 60.0;

/// A vector, packed: empty where it has no direction, and is near nothing.
#[must_use]
pub fn packed(vector: &[f32]) -> Vec<u8> {
    let longest = vector.iter().fold(0.0_f32, |longest, one| longest.max(one.abs()));
    if longest == 0.0 || !longest.is_finite() {
        return Vec::new();
    }
    #[allow(clippy::cast_possible_truncation, reason = "between -127 and 127")]
    vector.iter().flat_map(|one| ((one / longest * 127.0).round() as i8).to_le_bytes()).collect()
}

/// A question's vector.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Near(Vec<u8>);

impl Near {
    /// None where it has no direction.
    #[must_use]
    pub fn new(question: &[f32]) -> Option<Self> {
        let packed = packed(question);
        (!packed.is_empty()).then_some(Self(packed))
    }

    /// The cosine of the angle between it and a packed vector; none where that is of another dimension, or has no direction.
    #[must_use]
    pub fn cosine(&self, packed: &[u8]) -> Option<f64> {
        if packed.len() != self.0.len() {
            return None;
        }
        let (mut product, mut own, mut other) = (0_i32, 0_i32, 0_i32);
        for (one, two) in self.0.iter().zip(packed) {
            let (one, two) = (i32::from(one.cast_signed()), i32::from(two.cast_signed()));
            product += one * two;
            own += one * one;
            other += two * two;
        }
        let lengths = (f64::from(own) * f64::from(other)).sqrt();
        (lengths > 0.0).then(|| f64::from(product) / lengths)
    }
}

/// How far each of these cosines stands out from all of them, 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Usual(f64);

impl Usual {
    /// Of the cosines of all passages.
    #[must_use]
    pub fn of(cosines: impl Iterator<Item = f64>) -> Self {
        let (all, count) = cosines.fold((0.0, STRANGERS), |(all, count), one| (all + one, count + 1.0));
        Self((all / count).max(0.0))
    }

    /// 1 for the same direction as the question's, 0 for what is no nearer than usual.
    #[must_use]
    pub fn score(self, cosine: f64) -> f64 {
        let rest = 1.0 - self.0;
        if rest > 0.0 { ((cosine - self.0) / rest).clamp(0.0, 1.0) } else { 0.0 }
    }
}

/// The weight of a passage by its places in several orders, counted from 0: more is better.
#[must_use]
pub fn fused(places: impl IntoIterator<Item = usize>) -> f64 {
    #[allow(clippy::cast_precision_loss, reason = "there are some hundred places")]
    places.into_iter().map(|place| 1.0 / (RANKS + 1.0 + place as f64)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn cosine(one: &[f32], two: &[f32]) -> Option<f64> {
        Near::new(one)?.cosine(&packed(two))
    }

    #[test]
    fn what_has_no_direction_is_near_nothing() {
        for bad in [[0.0, 0.0], [f32::NAN, 0.0], [f32::INFINITY, 1.0], [1.0, f32::NEG_INFINITY]] {
            assert_eq!((cosine(&bad, &[1.0, 0.0]), cosine(&[1.0, 0.0], &bad)), (None, None), "{bad:?}");
        }
        assert_eq!((cosine(&[1.0], &[1.0, 0.0]), cosine(&[], &[])), (None, None));
    }

    #[test]
    fn the_nearest_stands_out_whatever_is_usual() {
        for (usual, best) in [(0.78, 0.88), (0.05, 0.4)] {
            let all = Usual::of((0..1_000).map(|_| usual).chain([best]));
            assert!(
                all.score(best) > 0.3 && all.score(usual) < 0.1,
                "{usual}: {} {}",
                all.score(best),
                all.score(usual)
            );
        }
        assert!(Usual::of([0.45].into_iter()).score(0.45) > 0.25, "one alone is found");
        assert_eq!((Usual::of([1.0; 9].into_iter()).score(1.0), Usual::of([].into_iter()).score(-1.0)), (1.0, 0.0));
    }

    #[test]
    fn a_place_in_both_orders_is_better_than_the_first_in_one() {
        assert!(fused([3, 4]) > fused([0]) && fused([0]) > fused([1]) && fused([0, 0]) > fused([0, 1]));
    }

    proptest! {
        #[test]
        fn bytes_keep_the_angle(one in prop::collection::vec(-1.0_f32..1.0, 64), two in prop::collection::vec(-1.0_f32..1.0, 64)) {
            let exact = |one: &[f32], two: &[f32]| one.iter().zip(two).map(|(one, two)| f64::from(one * two)).sum::<f64>();
            let wanted = exact(&one, &two) / (exact(&one, &one) * exact(&two, &two)).sqrt();
            prop_assert!((cosine(&one, &two).unwrap() - wanted).abs() < 0.02);
        }

        #[test]
        fn no_bytes_panic(question in prop::collection::vec(any::<f32>(), 0..40), bytes in prop::collection::vec(any::<u8>(), 0..40)) {
            if let Some(found) = Near::new(&question).and_then(|near| near.cosine(&bytes)) {
                prop_assert!((-1.001..=1.001).contains(&found));
            }
        }
    }
}
