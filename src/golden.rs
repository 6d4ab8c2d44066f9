//! Golden texts: what code writes, kept in a file that people read through.

use std::{env, fs, path::Path};

/// Compares with the file; with `UPDATE=1` in the environment writes it instead.
#[track_caller]
pub(crate) fn check(path: &str, text: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    if env::var_os("UPDATE").is_some_and(|value| value == "1") {
        fs::write(&path, text).expect("the golden file can be written");
    }
    let golden = fs::read_to_string(&path).unwrap_or_default();
    for (line, (is, was)) in text.lines().zip(golden.lines()).enumerate() {
        assert_eq!(is, was, "{}, line {}; UPDATE=1 rewrites it", path.display(), line + 1);
    }
    let (is, was) = (text.lines().count(), golden.lines().count());
    assert_eq!(is, was, "lines of {}; UPDATE=1 rewrites it", path.display());
}
