//! Former names and values of settings, which are answered by an error with the new ones. They are no aliases.

use banyan_core::{TextError, TextErrorKind};

/// Old and new names of settings.
const NAMES: &[(&str, &str)] = &[
    ("after", "expand-at"),
    ("rules", "threat-rules"),
    ("cut", "playout-plies"),
    ("appraise", "node-eval"),
    ("policy", "priors"),
    ("leaf", "unvisited"),
    ("start", "node-init"),
    ("prior", "root-bias-depth"),
    ("bonus", "root-bias"),
    ("until", "root-bias-until"),
    ("model", "opponent-model"),
    ("foresight", "opponent-model-budget"),
    ("probe", "leaf-search-depth"),
    ("below", "leaf-search-below"),
    ("lazy", "lazy-expansion"),
    ("lazily", "lazy-mode"),
    ("scheme", "parallel"),
    ("memory", "memory-mib"),
    ("table", "table-mib"),
];

/// Old and new values, by the new name of their setting. An empty new value: the old one was removed.
const VALUES: &[(&str, &str, &str)] = &[
    ("expand", "scout", "eval-children"),
    ("eval", "guided", "threat or eval=tactical"),
    ("eval", "standing", "margin"),
    ("eval", "estimate", "static"),
    ("eval", "own", "static"),
    ("eval", "blind", "hash"),
    ("order", "learned", "history"),
    ("order", "given", "static"),
    ("priors", "even", "uniform"),
    ("unvisited", "parent", "blend"),
    ("reward", "sign", "wdl"),
    ("reward", "lean", "win+margin"),
    ("final", "mean", "max"),
    ("final", "visits", "robust"),
    ("final", "lcb", "secure"),
    ("final", "well", ""),
    ("select", "tuned", "ucb1-tuned"),
    ("parallel", "shared", "tree"),
    ("parallel", "leaf", ""),
];

/// The error for `name=value` if either is an old one.
pub fn renamed(name: &str, value: &str) -> Option<TextError> {
    let new_name = NAMES.iter().find(|(old, _)| *old == name).map(|&(_, new)| new);
    let now = new_name.unwrap_or(name);
    let new_value = VALUES.iter().find(|(row, old, _)| *row == now && *old == value).map(|&(_, _, new)| new);
    if new_name.is_none() && new_value.is_none() {
        return None;
    }
    let found = format!("{name}={value}");
    let kind = if new_name.is_some() { TextErrorKind::UnknownName } else { TextErrorKind::InvalidValue };
    let err = match new_value {
        Some("") => TextError::new(
            found,
            format!("another value of {now}, for this one was removed"),
            format!("leave {now} out"),
        ),
        _ => {
            let renamed = format!("{now}={}", new_value.unwrap_or(value));
            TextError::new(found, format!("{renamed}, as it is called now"), format!("write {renamed}"))
        }
    };
    Some(err.of_kind(kind))
}

#[cfg(test)]
mod tests {
    use super::super::TUNABLES;
    use super::*;
    use crate::alpha_beta::ALPHA_BETA_TUNABLES;

    #[test]
    fn no_old_name_hides_a_new_one_and_each_new_one_exists() {
        let rows = || TUNABLES.iter().chain(ALPHA_BETA_TUNABLES);
        for (old, new) in NAMES {
            assert!(rows().all(|row| row.name != *old), "{old} is a name again");
            assert!(rows().any(|row| row.name == *new), "{new} is no name");
        }
        for (name, old, new) in VALUES {
            let taken = |value: &str| {
                rows().any(|row| row.name == *name && row.range.to_string().split(", ").any(|word| word == value))
            };
            assert!(!taken(old), "{name}={old} is a value again");
            assert!(new.is_empty() || new.contains(' ') || taken(new), "{name}={new} is no value");
        }
    }

    #[test]
    fn an_old_name_is_answered_with_the_new_one() {
        for (name, value, part) in [
            ("after", "3", "write expand-at=3"),
            ("policy", "even", "write priors=uniform"),
            ("policy", "game", "write priors=game"),
            ("expand", "scout", "write expand=eval-children"),
            ("final", "well", "leave final out"),
            ("scheme", "leaf", "leave parallel out"),
        ] {
            let err = renamed(name, value).expect(name).to_string();
            assert!(err.starts_with(&format!("{name}={value}: ")) && err.contains(part), "{err}");
        }
        assert_eq!((renamed("c", "0.5"), renamed("expand", "all")), (None, None));
    }
}
