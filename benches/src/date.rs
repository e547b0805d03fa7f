//! The day of a measurement.

use std::time::{SystemTime, UNIX_EPOCH};

/// A time as `YYYY-MM-DD` (UTC), by Hinnant's days-from-civil turned round:
/// <https://howardhinnant.github.io/date_algorithms.html#civil_from_days>.
pub fn of(time: SystemTime) -> String {
    let seconds = time.duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    // Counted from 1 March of the year 0, so that the leap day is a year's last.
    let days = seconds / 86_400 + 719_468;
    let (era, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let of_year = day - (365 * year + year / 4 - year / 100);
    let shifted = (5 * of_year + 2) / 153;
    let of_month = of_year - (153 * shifted + 2) / 5 + 1;
    let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
    let year = era * 400 + year + u64::from(month <= 2);
    format!("{year:04}-{month:02}-{of_month:02}")
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn known_days() {
        let day = |days: u64| of(UNIX_EPOCH + Duration::from_secs(days * 86_400));
        assert_eq!(day(0), "1970-01-01");
        assert_eq!(day(11_016), "2000-02-29");
        assert_eq!(day(19_782), "2024-02-29");
        assert_eq!(day(20_786), "2026-11-29");
    }
}
