//! The second part of each error begins with "expected".

use std::fs;
use std::path::Path;

use crate::rings::sources;

/// The arguments of a call, whose opening bracket comes just before `text`.
fn arguments(text: &str) -> Vec<&str> {
    let (mut depth, mut start, mut is_text, mut is_escaped) = (0, 0, false, false);
    let mut found = Vec::new();
    for (i, sign) in text.char_indices() {
        match sign {
            _ if is_text => {
                is_text = sign != '"' || is_escaped;
                is_escaped = sign == '\\' && !is_escaped;
            }
            '"' => is_text = true,
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' if depth == 0 => {
                found.push(text[start..i].trim());
                break;
            }
            ')' | ']' | '}' => depth -= 1,
            ',' if depth == 0 => {
                found.push(text[start..i].trim());
                start = i + 1;
            }
            _ => {}
        }
    }
    found
}

/// The beginning of a literal, or of the literal of a `format!`; none of another expression.
fn literal(expression: &str) -> Option<&str> {
    let text = expression.strip_prefix("format!(").unwrap_or(expression).trim_start();
    let text = text.strip_prefix('"')?;
    Some(text.strip_prefix("\\\n").unwrap_or(text).trim_start())
}

/// The literals that stand for what was expected: in the call, or by the name `expected` just before it.
fn expectations(source: &str) -> Vec<&str> {
    const CALL: &str = "TextError::new(";
    const NAME: &str = "let expected = ";
    let calls = source.match_indices(CALL).filter_map(|(at, _)| {
        let (before, call) = source.split_at(at);
        match *arguments(&call[CALL.len()..]).get(1)? {
            "expected" => before.rfind(NAME).and_then(|named| literal(&before[named + NAME.len()..])),
            expression => literal(expression),
        }
    });
    calls.collect()
}

#[test]
fn errors_say_what_was_expected() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates");
    let mut n_checked = 0;
    let is_program = |path: &Path| {
        let path = path.strip_prefix(&crates).expect("a file of it").to_string_lossy();
        path.contains("/src/") && !path.ends_with("tests.rs")
    };
    for path in sources(&crates).into_iter().filter(|path| is_program(path)) {
        let source = fs::read_to_string(&path).expect("a source");
        let program = source.split("#[cfg(test)]\nmod").next().unwrap_or_default();
        for expected in expectations(program).into_iter() {
            n_checked += 1;
            assert!(expected.starts_with("expected "), "{}: {:.60}", path.display(), expected);
        }
    }
    assert!(n_checked > 200, "{n_checked}: errors are made in another way");
}

#[test]
fn expectations_are_found_in_calls_and_names() {
    let source = "TextError::new(format!(\"a, {b}\"), \"one (\", \"\"); let expected = format!(\"two\"); TextError::new(c, expected, e); TextError::new(c, d, e)";
    assert_eq!(expectations(source).iter().map(|text| &text[..3]).collect::<Vec<_>>(), ["one", "two"]);
}
