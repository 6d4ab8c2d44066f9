//! Links between the files of the repository: the file exists, and has the heading.

use std::fs;
use std::path::{Component, Path, PathBuf};

use super::Page;
use crate::command::root;

/// Links and pictures that lead nowhere.
pub(super) fn faults(pages: &[Page]) -> Vec<String> {
    let mut faults = Vec::new();
    for page in pages {
        for (number, line) in page.prose() {
            for target in targets(line) {
                if let Some(fault) = fault(page, target, pages) {
                    faults.push(format!("{}: {fault}", page.place(number)));
                }
            }
        }
    }
    faults
}

/// What stands behind `](` and in `src="`.
fn targets(line: &str) -> impl Iterator<Item = &str> {
    let links = line.split("](").skip(1).filter_map(|rest| rest.split(')').next());
    links.chain(line.split("src=\"").skip(1).filter_map(|rest| rest.split('"').next()))
}

fn fault(page: &Page, target: &str, pages: &[Page]) -> Option<String> {
    if target.contains("://") || target.starts_with("mailto:") {
        return None;
    }
    let (file, heading) = target.split_once('#').map_or((target, None), |(f, h)| (f, Some(h)));
    let path = if file.is_empty() {
        page.path.clone()
    } else {
        plain(&page.path.parent().unwrap_or(Path::new("")).join(file))
    };
    if !root().join(&path).exists() {
        return Some(format!("no such file: {target}"));
    }
    let heading = heading?;
    let there = pages.iter().find(|page| page.path == path).map(|page| page.text.clone());
    let text = there.or_else(|| fs::read_to_string(root().join(&path)).ok())?;
    let mut headings = text.lines().filter(|line| line.starts_with('#')).map(anchor);
    (!headings.any(|anchor| anchor == heading)).then(|| format!("no such heading: {target}"))
}

/// The path without `.` and `..`.
fn plain(path: &Path) -> PathBuf {
    path.components().fold(PathBuf::new(), |mut plain, part| {
        match part {
            Component::ParentDir => drop(plain.pop()),
            Component::CurDir => {}
            part => plain.push(part),
        }
        plain
    })
}

/// The anchor that forges make of a heading.
fn anchor(heading: &str) -> String {
    let words = heading.trim_start_matches('#').trim().to_lowercase();
    let kept = words.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
    kept.map(|c| if c == ' ' { '-' } else { c }).collect()
}
