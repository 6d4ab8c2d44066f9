//! The numbered rules as people read them, straight from `docs/rules/`.

use lodestone::text::Language;

/// The five rule books, in English and in Persian.
const BOOKS: [[&str; 2]; 5] = [
    [include_str!("../../docs/rules/gipf.md"), include_str!("../../docs/rules/fa/gipf.md")],
    [include_str!("../../docs/rules/yinsh.md"), include_str!("../../docs/rules/fa/yinsh.md")],
    [include_str!("../../docs/rules/dvonn.md"), include_str!("../../docs/rules/fa/dvonn.md")],
    [include_str!("../../docs/rules/lyngk.md"), include_str!("../../docs/rules/fa/lyngk.md")],
    [include_str!("../../docs/rules/glux.md"), include_str!("../../docs/rules/fa/glux.md")],
];

/// The text of a rule such as `Y8`, without markup.
pub fn rule(language: Language, number: &str) -> Option<String> {
    let book = |[english, persian]: &[&'static str; 2]| match language {
        Language::English => *english,
        Language::Persian => *persian,
    };
    let text = |line: &'static str| {
        let (name, text) = line.strip_prefix("- **")?.split_once("** ")?;
        // A translation ends in a mark that says from which text it was made.
        let text = text.split(" <!--").next()?;
        (name == number).then(|| text.replace(['*', '`'], ""))
    };
    BOOKS.iter().map(book).flat_map(str::lines).find_map(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_are_found_by_their_numbers() {
        let rule = |number| rule(Language::English, number);
        let y8 = rule("Y8").expect("there is a rule Y8");
        assert!(y8.starts_with("A ring never passes"), "{y8}");
        assert!(rule("G21").expect("G21").contains("Decision."), "markup goes, words stay");
        for wrong in ["", "Y", "Y0", "Y99", "y8", "Y8 ", "Z1"] {
            assert_eq!(rule(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn every_rule_is_there_in_both_languages() {
        let numbers = |language: usize| -> Vec<&str> {
            let lines = BOOKS.iter().flat_map(|book| book[language].lines());
            lines.filter_map(|line| line.strip_prefix("- **")?.split("**").next()).collect()
        };
        assert_eq!(numbers(0), numbers(1));
        let y8 = rule(Language::Persian, "Y8").expect("Y8 in Persian");
        assert!(y8.starts_with("حلقه هرگز") && y8.ends_with("نمی‌رود."), "{y8}");
    }
}
