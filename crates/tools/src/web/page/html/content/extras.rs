//! What follows or interrupts an article and is none of it: what readers said, teasers of other pages, and sections whose
//! heading says that they are such. None of it is left out where the rest of the page says little: a forum's posts, a list
//! of products or the front page of a newspaper are what their pages are about.

use super::super::attributes::Hint;
use super::super::tags::Tag;
use super::super::tree::{Tree, number};
use super::frames::holding;
use super::weights::{Survey, Weights};
use super::{ARTICLE, inherit, mark};

/// Characters of sentences that a page has beside what readers said of it.
const SAID_BESIDE: u32 = 1000;
/// Characters of a teaser.
const TEASER: std::ops::RangeInclusive<u32> = 10..=300;
/// Characters of a heading that announces something else.
const HEADING: u32 = 60;

/// Leaves out what readers said of an article or a product.
pub(super) fn comments(survey: &Survey<'_>, dropped: &mut [bool]) {
    let weights = survey.weigh(dropped);
    let (mut end, mut within, mut found) = (0, 0_u32, Vec::new());
    for (index, node) in survey.tree.nodes.iter().enumerate() {
        // Highlighters call the comments of a program comments, too.
        let is_comments = node.hint == Hint::Comments && node.tag.is_block();
        if is_comments && index >= end && dropped.get(index) != Some(&true) {
            end = node.end as usize;
            within = within.saturating_add(weights.of(index).prose);
            found.push(index);
        }
    }
    let beside = weights.all().prose.saturating_sub(within);
    if beside >= SAID_BESIDE && beside.saturating_mul(10) >= within.saturating_mul(3) {
        found.into_iter().for_each(|index| mark(dropped, index));
        inherit(survey.tree, dropped);
    }
}

/// Leaves out lists of teasers beside an article: most items are short, link somewhere, and show a picture or a heading.
pub(super) fn teasers(survey: &Survey<'_>, dropped: &mut [bool]) {
    let (tree, weights) = (survey.tree, survey.weigh(dropped));
    if weights.column < ARTICLE {
        return;
    }
    let links = holding(tree, |_, node| node.tag == Tag::Anchor);
    let shows = holding(tree, |_, node| matches!(node.tag, Tag::Image | Tag::Heading(2..=6)));
    let mut items = vec![(0_u32, 0_u32); tree.nodes.len()];
    for (index, node) in tree.nodes.iter().enumerate().skip(1) {
        let weight = weights.of(index);
        if let Some((teasers, all)) = items.get_mut(node.parent as usize).filter(|_| weight.text > 0) {
            let is_teaser = links.get(index) == Some(&true)
                && shows.get(index) == Some(&true)
                && TEASER.contains(&weight.text)
                && weight.linked.saturating_mul(5) >= weight.text;
            *teasers += u32::from(is_teaser);
            *all += 1;
        }
    }
    for (index, (teasers, all)) in items.into_iter().enumerate() {
        if teasers >= 3 && teasers * 10 >= all * 8 && is_beside(&weights, index) {
            mark(dropped, index);
        }
    }
    inherit(tree, dropped);
}

/// Whether a node is a small part of a page that says enough without it.
fn is_beside(weights: &Weights, index: usize) -> bool {
    let small = weights.of(index).text.saturating_mul(5) <= weights.all().text.saturating_mul(2);
    index > 0 && small && weights.prose_outside(index) >= ARTICLE
}

/// Leaves out sections whose heading announces something else: related pages, comments, a newsletter.
pub(super) fn sections(survey: &Survey<'_>, dropped: &mut [bool]) {
    let (tree, weights) = (survey.tree, survey.weigh(dropped));
    let first = first_texts(survey, dropped);
    // A section of sentences is content, whatever its heading says, and so is one that leads nowhere.
    let is_extra = |index: usize| {
        let weight = weights.of(index);
        let sentences = weight.prose.saturating_mul(4) > weight.text.saturating_mul(3);
        is_beside(&weights, index) && !sentences && weight.linked.saturating_mul(5) >= weight.text
    };
    let mut index = 1;
    while let Some(node) = tree.get(index) {
        let heading = weights.of(index).text;
        let may_head = node.tag.is_block() && !matches!(node.tag, Tag::Item | Tag::Heading(1) | Tag::Cell);
        if !may_head || !(1..=HEADING).contains(&heading) || !announces(&beginning(tree, index)) {
            index += 1;
            continue;
        }
        // The section begins with the heading and has more than it.
        let mut section = index;
        while let Some(parent) = tree.get(section).map(|node| node.parent as usize)
            && is_beside(&weights, parent)
            && first.get(parent) == first.get(index)
        {
            section = parent;
        }
        index = if weights.of(section).text > heading {
            if is_extra(section) {
                mark(dropped, section);
            }
            tree.get(section).map_or(index, |node| node.end as usize).max(index + 1)
        } else {
            let mut beside = headed(tree, section).skip(1).filter(|part| weights.of(*part).text > 0).peekable();
            let is_last = beside.peek().is_none();
            let extras: Vec<usize> = beside.take_while(|part| is_extra(*part)).collect();
            if is_last || !extras.is_empty() {
                extras.into_iter().chain([section]).for_each(|part| mark(dropped, part));
            }
            index + 1
        };
    }
    inherit(tree, dropped);
}

/// A heading, and what stands beside it up to the next one.
fn headed(tree: &Tree, heading: usize) -> impl Iterator<Item = usize> + '_ {
    let end = tree.get(heading).and_then(|node| tree.get(node.parent as usize)).map_or(0, |parent| parent.end as usize);
    let next = move |at: &usize| tree.get(*at).map(|node| node.end as usize).filter(|next| *next < end);
    let is_heading = |at: &usize| tree.get(*at).is_some_and(|node| matches!(node.tag, Tag::Heading(_)));
    std::iter::successors(Some(heading), next).take_while(move |at| *at == heading || !is_heading(at))
}

/// For each node the first text in it.
fn first_texts(survey: &Survey<'_>, dropped: &[bool]) -> Vec<Option<u32>> {
    let mut first = vec![None; survey.tree.nodes.len()];
    for (index, node) in survey.tree.nodes.iter().enumerate().rev() {
        if dropped.get(index) == Some(&true) {
            continue;
        }
        let own = (survey.characters(index) > 0).then_some(number(index));
        let found = own.or(first.get(index).copied().flatten());
        for at in [index, node.parent as usize] {
            if let Some(first) = first.get_mut(at).filter(|_| found.is_some()) {
                *first = found;
            }
        }
    }
    first
}

/// The beginning of what a node says, in lower case, from its first letter on.
fn beginning(tree: &Tree, index: usize) -> String {
    let end = tree.get(index).map_or(0, |node| node.end as usize);
    let mut said = String::new();
    for node in tree.nodes.get(index..end).unwrap_or_default().iter().filter(|node| node.tag == Tag::Text) {
        for word in tree.words(node).split_whitespace().take_while(|_| said.len() < 80).collect::<Vec<_>>() {
            if !said.is_empty() {
                said.push(' ');
            }
            said.extend(word.chars().flat_map(char::to_lowercase));
        }
    }
    said.trim_start_matches(|c: char| !c.is_alphabetic()).to_owned()
}

/// Whether a heading that begins like this announces something else than content.
fn announces(heading: &str) -> bool {
    !heading.is_empty() && ANNOUNCED.iter().any(|words| heading.starts_with(words))
}

/// How such headings begin, in the languages of the pages that were tried.
#[rustfmt::skip]
const ANNOUNCED: &[&str] = &[
    "related", "recommended", "recommend ", "you may also", "you might also", "you might like", "you may like",
    "more from", "more articles", "more stories", "more posts", "more news", "more like this", "more you",
    "more to explore", "more useful", "explore more", "explore related", "read next", "read this next", "up next",
    "what to read next", "keep reading", "also read", "read also", "similar ", "most popular", "popular posts",
    "popular articles", "popular stories", "most read", "most viewed", "trending", "latest ", "recent posts",
    "recent articles", "recent news", "recent blog", "recently viewed", "featured posts", "featured articles",
    "featured stories", "other posts", "other articles", "other stories", "people also", "customers also",
    "customers who", "frequently bought", "products related", "sponsored", "from our partners", "from the web",
    "around the web", "join the conversation", "join the discussion", "leave a ", "post a comment", "add a comment",
    "write a comment", "comments", "comment", "responses", "thoughts on", "about the author", "about author",
    "meet the author", "share this", "share on", "share:", "follow us", "stay connected", "connect with us",
    "subscribe", "newsletter", "sign up for", "stay up to date", "stay in the loop", "never miss", "hot threads",
    "hot network questions", "your answer", "artículos relacionados", "también te puede", "te puede interesar",
    "lo más leído", "comentarios", "deja un", "sobre el autor", "ähnliche ", "verwandte ", "weitere artikel",
    "das könnte", "auch interessant", "mehr zum thema", "meistgelesen", "kommentare", "articles similaires",
    "à lire aussi", "vous aimerez", "sur le même sujet", "commentaires", "articoli correlati", "leggi anche",
    "artigos relacionados", "leia também",
];
