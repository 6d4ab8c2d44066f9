//! The numbered rules as people read them, straight from `docs/rules/`.

/// The five rule books.
const BOOKS: [&str; 5] = [
    include_str!("../../docs/rules/gipf.md"),
    include_str!("../../docs/rules/yinsh.md"),
    include_str!("../../docs/rules/dvonn.md"),
    include_str!("../../docs/rules/lyngk.md"),
    include_str!("../../docs/rules/glux.md"),
];

/// The text of a rule such as `Y8`, without markup.
pub fn rule(number: &str) -> Option<String> {
    let text = |line: &'static str| {
        let (name, text) = line.strip_prefix("- **")?.split_once("** ")?;
        (name == number).then(|| text.replace(['*', '`'], ""))
    };
    BOOKS.iter().flat_map(|book| book.lines()).find_map(text)
}

#[cfg(test)]
mod tests {
    use super::rule;

    #[test]
    fn rules_are_found_by_their_numbers() {
        let y8 = rule("Y8").expect("there is a rule Y8");
        assert!(y8.starts_with("A ring never passes"), "{y8}");
        assert!(rule("G21").expect("G21").contains("Decision."), "markup goes, words stay");
        for wrong in ["", "Y", "Y0", "Y99", "y8", "Y8 ", "Z1"] {
            assert_eq!(rule(wrong), None, "{wrong}");
        }
    }
}
