//! The links of every page that people read lead somewhere, and every page of the guide is a chapter of it.
//!
//! Links to items of the crate (`crate::Rows`) are rustdoc's, which `cargo xtask ci` runs with its warnings denied.

use std::fs;
use std::path::{Path, PathBuf};

/// The root of the workspace; none where the tests were copied to a machine without the sources.
fn root() -> Option<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent()?;
    root.join("examples").is_dir().then(|| root.to_owned())
}

/// The `.md` files in a folder and those below it, but for what is built.
fn pages(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in folder.read_dir().unwrap() {
        let entry = entry.unwrap();
        let (path, name) = (entry.path(), entry.file_name());
        let hidden = name.to_string_lossy().starts_with('.');
        if path.is_dir() && !hidden && name != "target" && name != "bundle" {
            pages(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "md") {
            found.push(path);
        }
    }
}

/// The text outside of code blocks: what stands in them is code, and no link.
fn prose(text: &str) -> String {
    text.split("\n```").step_by(2).collect()
}

/// Where the links of a page lead: `[text](target)`.
fn targets(text: &str) -> impl Iterator<Item = &str> {
    let rests = text.split("](").skip(1);
    rests.filter_map(|rest| rest.split(')').next())
}

/// The name under which a heading is linked to.
fn anchor(heading: &str) -> String {
    let kept = heading
        .trim_matches(['#', ' '])
        .chars()
        .filter(|c| c.is_alphanumeric() || " -_".contains(*c));
    kept.collect::<String>().to_lowercase().replace(' ', "-")
}

/// What is wrong with a link of a page; none where it leads to something.
fn broken(page: &Path, target: &str) -> Option<String> {
    if target.starts_with("super::") {
        return Some(format!(
            "{}: {target} is read from outside of the guide: write crate::guide::…",
            page.display()
        ));
    }
    let (file, fragment) = target.split_once('#').unwrap_or((target, ""));
    if target.starts_with("http://") || target.starts_with("https://") || file.contains("::") {
        return None;
    }
    let folder = page.parent().unwrap();
    let to = if file.is_empty() {
        page.to_owned()
    } else {
        folder.join(file)
    };
    if !to.exists() {
        return Some(format!("{}: {target} is not there", page.display()));
    }
    if fragment.is_empty() || to.extension().is_none_or(|extension| extension != "md") {
        return None;
    }
    let text = fs::read_to_string(&to).unwrap();
    let mut headings = text.lines().filter(|line| line.starts_with('#'));
    (!headings.any(|heading| anchor(heading) == fragment))
        .then(|| format!("{}: {} has no heading #{fragment}", page.display(), to.display()))
}

#[test]
fn links_lead_somewhere() {
    let Some(root) = root() else { return };
    let mut found = Vec::new();
    pages(&root, &mut found);
    let (mut links, mut wrong) = (0, Vec::new());
    for page in &found {
        let text = prose(&fs::read_to_string(page).unwrap());
        for target in targets(&text) {
            links += 1;
            wrong.extend(broken(page, target));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(
        found.len() > 15 && links > 20,
        "{links} links in {} pages",
        found.len()
    );
}

/// The check itself can fail.
#[test]
fn a_broken_link_is_found() {
    let folder = tempfile::tempdir().unwrap();
    let page = folder.path().join("page.md");
    fs::write(
        &page,
        "# What is *here*, twice\n[a](page.md) [b](none.md)\n```\n[c](code.md)\n```\n",
    )
    .unwrap();
    let text = prose(&fs::read_to_string(&page).unwrap());
    assert_eq!(targets(&text).collect::<Vec<_>>(), ["page.md", "none.md"]);
    assert_eq!(broken(&page, "page.md"), None);
    assert_eq!(broken(&page, "#what-is-here-twice"), None);
    assert_eq!(broken(&page, "https://example.org/none"), None);
    assert_eq!(broken(&page, "crate::Rows"), None);
    assert!(broken(&page, "super::segments").is_some());
    assert!(broken(&page, "none.md").is_some());
    assert!(broken(&page, "page.md#elsewhere").is_some());
}

/// A page that no chapter includes is read by nobody, and its programs are not run.
#[test]
fn every_page_of_the_guide_is_a_chapter() {
    let Some(root) = root() else { return };
    let guide = fs::read_to_string(root.join("runtime/src/guide.rs")).unwrap();
    let mut found = Vec::new();
    pages(&root.join("runtime/src/guide"), &mut found);
    assert!(found.len() >= 12, "{found:?}");
    for page in found {
        let name = page.file_name().unwrap().to_str().unwrap();
        let module = guide.split_once(&format!("include_str!(\"guide/{name}\")"));
        let (_, rest) = module.unwrap_or_else(|| panic!("guide.rs includes no {name}"));
        let chapter = rest.split("pub mod ").nth(1).unwrap().split(' ').next().unwrap();
        assert!(
            guide.contains(&format!(". [`{chapter}`]: ")),
            "guide.rs lists no {chapter}"
        );
    }
}
