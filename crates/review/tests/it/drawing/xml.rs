//! A strict reader for the subset of XML that drawings use: it panics if a document is not well formed.

/// An element with the text directly inside it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Element {
    pub(crate) name: String,
    attributes: Vec<(String, String)>,
    pub(crate) text: String,
}

impl Element {
    pub(crate) fn attribute(&self, name: &str) -> &str {
        let found = self.attributes.iter().find(|(known, _)| known == name);
        &found.unwrap_or_else(|| panic!("no {name} in {self:?}")).1
    }

    pub(crate) fn number(&self, name: &str) -> f64 {
        self.attribute(name).parse().unwrap_or_else(|err| panic!("{name} of {self:?}: {err}"))
    }

    /// Whether it has this class among others.
    pub(crate) fn is(&self, class: &str) -> bool {
        self.attributes.iter().any(|(name, value)| name == "class" && value.split(' ').any(|word| word == class))
    }
}

/// Every element, in the order their first tags stand in.
pub(crate) fn elements(document: &str) -> Vec<Element> {
    let mut elements: Vec<Element> = Vec::new();
    let mut open: Vec<usize> = Vec::new();
    let mut rest = document;
    while let Some(at) = rest.find('<') {
        let text = plain(&rest[..at]);
        match open.last() {
            Some(&inside) => elements[inside].text += text.trim(),
            None => assert!(text.trim().is_empty(), "text outside the root: {text:?}"),
        }
        let end = rest[at..].find('>').expect("a tag that ends") + at;
        let tag = &rest[at + 1..end];
        rest = &rest[end + 1..];
        if let Some(name) = tag.strip_prefix('/') {
            let inside = open.pop().unwrap_or_else(|| panic!("</{name}> closes nothing"));
            assert_eq!(name, elements[inside].name, "tags must nest");
            continue;
        }
        assert!(!open.is_empty() || elements.is_empty(), "a second root <{tag}>");
        let (tag, is_empty) = tag.strip_suffix('/').map_or((tag, false), |tag| (tag, true));
        if !is_empty {
            open.push(elements.len());
        }
        elements.push(element(tag));
    }
    assert!(open.is_empty() && rest.trim().is_empty(), "the document does not end with its root: {rest:?}");
    elements
}

fn element(tag: &str) -> Element {
    let (name, mut rest) = tag.split_once(' ').unwrap_or((tag, ""));
    assert!(!name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric()), "<{tag}>");
    let mut attributes: Vec<(String, String)> = Vec::new();
    while !rest.trim().is_empty() {
        let (key, after) = rest.trim_start().split_once("=\"").unwrap_or_else(|| panic!("attributes of <{tag}>"));
        let (value, after) = after.split_once('"').unwrap_or_else(|| panic!("quotes of <{tag}>"));
        assert!(after.is_empty() || after.starts_with([' ', '\n']), "<{tag}>: no blank after {key}");
        assert!(attributes.iter().all(|(known, _)| known != key), "<{tag}>: {key} twice");
        attributes.push((key.to_owned(), plain(value)));
        rest = after;
    }
    Element { name: name.to_owned(), attributes, text: String::new() }
}

/// The characters that entities stand for.
fn plain(text: &str) -> String {
    let mut parts = text.split('&');
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (entity, after) = part.split_once(';').unwrap_or_else(|| panic!("a bare & in {text:?}"));
        let known = [("amp", '&'), ("lt", '<'), ("gt", '>'), ("quot", '"')];
        out.push(known.iter().find(|(name, _)| *name == entity).unwrap_or_else(|| panic!("&{entity};")).1);
        out += after;
    }
    assert!(!out.chars().any(|c| c.is_control() && c != '\n'), "control characters in {text:?}");
    out
}

#[test]
#[should_panic(expected = "tags must nest")]
fn crossed_tags_are_noticed() {
    elements("<a><b></a></b>");
}

#[test]
#[should_panic(expected = "a bare &")]
fn bare_ampersands_are_noticed() {
    elements(r#"<a b="&">x</a>"#);
}
