//! Suggests known names for misspelled ones.

/// The name of `known` closest to `found`, if it is close enough for a misspelling.
pub(crate) fn suggest<'a>(found: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let found = found.to_ascii_lowercase().replace(['_', ' '], "-");
    let distances = known.into_iter().map(|name| {
        let lower = name.to_ascii_lowercase();
        let begins = found.len() >= 3 && lower.starts_with(&found);
        (if begins || sorted(&found) == sorted(&lower) { 0 } else { distance(&found, &lower) }, name)
    });
    let (slips, name) = distances.min_by_key(|&(slips, _)| slips)?;
    // Up to a third of the letters may be wrong; with half of them it is another word.
    (slips <= name.len() / 3).then_some(name)
}

/// ` (did you mean NAME?)` for the suggested name; empty if there is none.
pub fn did_you_mean<'a>(found: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    suggest(found, known).map(|name| format!(" (did you mean {name}?)")).unwrap_or_default()
}

/// The sorted letters: equal for words with swapped letters.
fn sorted(word: &str) -> Vec<char> {
    let mut letters: Vec<char> = word.chars().collect();
    letters.sort_unstable();
    letters
}

/// Letters to insert, delete or replace to make `b` of `a` (Levenshtein 1966).
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], i + 1);
        for (j, &y) in b.iter().enumerate() {
            let replaced = diagonal + usize::from(x != y);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_are_recognised_and_other_words_are_not() {
        let known = ["connect-four", "reversi", "dots-and-boxes"];
        assert_eq!(suggest("connectfour", known), Some("connect-four"));
        assert_eq!(suggest("Reversy", known), Some("reversi"));
        assert_eq!(suggest("hsah", ["Hash", "Seed"]), Some("Hash"));
        assert_eq!(suggest("dots", known), Some("dots-and-boxes"));
        assert_eq!(suggest("chess", known), None);
        assert_eq!(suggest("utc", ["random", "uct"]), Some("uct"));
        assert_eq!(suggest("", known), None);
    }

    #[test]
    fn the_distance_counts_single_letters() {
        assert_eq!(distance("kitten", "sitting"), 3);
        assert_eq!(distance("", "abc"), 3);
    }
}
