//! Names of new folders.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

/// A new folder in `parent`, named after the current date and time. If it cannot be created, the match in it reports the error.
pub fn fresh_folder(parent: &Path) -> PathBuf {
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs());
    let name = moment(seconds);
    let numbered = |n: u32| if n == 1 { name.clone() } else { format!("{name}-{n}") };
    let mut paths = (1..).map(|n| parent.join(numbered(n)));
    // Creating it, rather than checking for it, excludes another process that starts in the same second.
    let _ = fs::create_dir_all(parent);
    let fresh =
        paths.find(|path| !matches!(fs::create_dir(path), Err(err) if err.kind() == std::io::ErrorKind::AlreadyExists));
    fresh.expect("the numbers are unbounded")
}

/// `20261120-135207` in universal time, from seconds since 1970. Days become dates as in Hinnant's "chrono-compatible
/// low-level date algorithms": years begin in March, so that the leap day comes last.
fn moment(seconds: u64) -> String {
    let (days, second) = (seconds / 86_400, seconds % 86_400);
    let days = days + 719_468;
    let (era, day_of_era) = (days / 146_097, days % 146_097);
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * shifted + 2) / 5 + 1;
    let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
    let year = era * 400 + year_of_era + u64::from(month <= 2);
    format!("{year:04}{month:02}{day:02}-{:02}{:02}{:02}", second / 3600, second / 60 % 60, second % 60)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn timestamps_are_dates() {
        for (seconds, expected) in [
            (0, "19700101-000000"),
            (951_782_399, "20000228-235959"),
            (951_782_400, "20000229-000000"),
            (951_868_800, "20000301-000000"),
            (1_798_761_599, "20261231-235959"),
            (1_798_761_600, "20270101-000000"),
        ] {
            assert_eq!(moment(seconds), expected);
        }
    }
}
