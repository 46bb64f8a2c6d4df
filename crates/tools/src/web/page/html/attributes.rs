//! What an element's attributes say: whether it is hidden, whether it frames the content or is it, what language its code
//! is in. Class names are taken apart into words, since `site-footer`, `footer_wrap` and `footer` mean the same.

use std::collections::HashSet;
use std::sync::LazyLock;

/// What the attributes of one start tag say. Values are bounded; the first of two of a name counts.
#[derive(Debug, Default)]
pub(super) struct Attributes {
    pub(super) class: String,
    pub(super) id: String,
    pub(super) href: String,
    pub(super) source: String,
    pub(super) lazy_source: String,
    pub(super) alt: String,
    pub(super) start: String,
    pub(super) language: String,
    pub(super) role: String,
    style: String,
    width: String,
    height: String,
    hidden: bool,
    hidden_until_found: bool,
    aria_hidden: bool,
    open: bool,
    /// Whether a template is the content of the element that it stands in.
    pub(super) is_shadow_root: bool,
    encoding: String,
}

/// Bytes of a value that are kept. An address that is longer is none that a model could use.
const VALUE: usize = 2048;

/// How an element relates to the content.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(super) enum Hint {
    /// Nothing is said.
    #[default]
    None,
    /// It is the main content.
    Main,
    /// It frames the content: navigation, notices, advertisements.
    Frame,
    /// It frames the content if it is mostly links.
    FrameOfLinks,
    /// Its id is called what frames are called, as headings are now and then.
    FrameById,
    /// It says little beside the content: who wrote it, how to order it.
    SmallPrint,
    /// It holds what readers said.
    Comments,
}

/// Whether people see an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(super) enum Sight {
    /// They do, or open it themselves.
    #[default]
    Seen,
    /// Not before a script has run, or they do and a screen reader does not: content, where it is most of the page.
    Later,
    /// They do not.
    Hidden,
}

impl Attributes {
    pub(super) fn clear(&mut self) {
        for value in [
            &mut self.class,
            &mut self.id,
            &mut self.href,
            &mut self.source,
            &mut self.lazy_source,
            &mut self.alt,
            &mut self.start,
            &mut self.language,
            &mut self.role,
            &mut self.style,
            &mut self.width,
            &mut self.height,
            &mut self.encoding,
        ] {
            value.clear();
        }
        (self.hidden, self.hidden_until_found, self.aria_hidden) = (false, false, false);
        (self.open, self.is_shadow_root) = (false, false);
    }

    /// Takes a value; names that mean nothing here are let go.
    pub(super) fn set(&mut self, name: &[u8], value: &[u8]) {
        let slot = match name {
            b"class" => &mut self.class,
            b"id" => &mut self.id,
            b"href" => &mut self.href,
            b"src" => &mut self.source,
            b"data-src" => &mut self.lazy_source,
            b"alt" => &mut self.alt,
            b"start" => &mut self.start,
            b"data-lang" | b"data-language" => &mut self.language,
            b"role" => &mut self.role,
            b"style" => &mut self.style,
            b"width" => &mut self.width,
            b"height" => &mut self.height,
            b"encoding" => &mut self.encoding,
            b"hidden" if value.eq_ignore_ascii_case(b"until-found") => return self.hidden_until_found = true,
            b"hidden" => return self.hidden = true,
            b"shadowrootmode" => return self.is_shadow_root = true,
            b"open" => return self.open = true,
            b"aria-hidden" => return self.aria_hidden = value.eq_ignore_ascii_case(b"true"),
            _ => return,
        };
        if slot.is_empty() && value.len() <= VALUE {
            slot.push_str(&String::from_utf8_lossy(value));
        }
    }

    /// Whether people see the element: text that only a program reads is how pages talk to models behind people's backs.
    pub(super) fn sight(&self, name: &[u8]) -> Sight {
        let hidden_for_good = (name == b"dialog" && !self.open)
            || (name == b"annotation" || name == b"annotation-xml")
            || (is_zero(&self.width) && is_zero(&self.height))
            || any_word(&self.class, |word| HIDDEN_WORDS.contains(word));
        // People open these by a click.
        let opened = self.hidden_until_found || self.role == "tabpanel";
        let style = sight_of_style(&self.style);
        match (style.sight, opened) {
            _ if hidden_for_good => Sight::Hidden,
            (Sight::Hidden, false) => Sight::Hidden,
            (Sight::Hidden, true) if !style.is_folded => Sight::Hidden,
            (_, true) => Sight::Seen,
            (..) if self.hidden || is_hidden_class(&self.class) => Sight::Hidden,
            (Sight::Seen, _) if self.aria_hidden => Sight::Later,
            (sight, _) => sight,
        }
    }

    pub(super) fn hint(&self) -> Hint {
        match self.role.as_str() {
            "main" => return Hint::Main,
            "navigation" | "banner" | "contentinfo" | "complementary" | "search" | "menu" | "menubar" | "toolbar"
            | "dialog" | "alertdialog" => return Hint::Frame,
            _ => {}
        }
        if self.class.is_empty() && self.id.is_empty() {
            return Hint::None;
        }
        // The first meaning that a class name has counts, in this order; ids are also made from headings.
        for (words, hint) in
            [(&COMMENT_WORDS, Hint::Comments), (&SMALL_WORDS, Hint::SmallPrint), (&FRAME_WORDS, Hint::Frame)]
        {
            if any_word(&self.class, |word| words.contains(word)) {
                return hint;
            }
        }
        if any_word(&self.id, |word| FRAME_WORDS.contains(word)) {
            return Hint::FrameById;
        }
        let of_links = |word: &str| LINK_FRAME_WORDS.contains(word);
        if any_word(&self.class, of_links) || any_word(&self.id, of_links) {
            return Hint::FrameOfLinks;
        }
        Hint::None
    }

    /// The language of a code block, from the forms that highlighters use.
    pub(super) fn code_language(&self) -> Option<&str> {
        let known = |language: &str| {
            let fits = (1..=20).contains(&language.len())
                && language.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '+' | '#' | '-' | '.'));
            fits && !matches!(language, "none" | "default" | "text" | "plaintext" | "notranslate" | "nohighlight")
        };
        if known(&self.language) {
            return Some(&self.language);
        }
        let mut classes = self.class.split_ascii_whitespace();
        while let Some(class) = classes.next() {
            let language = match class {
                "brush:" => classes.next(),
                _ if class.starts_with("brush:") => class.get(6..),
                "rust" | "python" | "javascript" | "bash" | "console" | "json" | "sql" => Some(class),
                "sourceCode" | "src" | "programlisting" => None,
                _ => ["language-", "lang-", "highlight-source-", "highlight-", "src-", "prettyprint-"]
                    .iter()
                    .find_map(|prefix| class.strip_prefix(prefix)),
            };
            if let Some(language) =
                language.map(|language| language.trim_end_matches(';')).filter(|language| known(language))
            {
                return Some(language);
            }
        }
        None
    }
}

fn is_zero(value: &str) -> bool {
    matches!(value.trim(), "0" | "0px" | "1" | "1px")
}

/// What a `style` attribute says.
#[derive(Clone, Copy, Default)]
struct Styled {
    sight: Sight,
    /// Whether the element is only folded away.
    is_folded: bool,
}

fn sight_of_style(style: &str) -> Styled {
    if style.is_empty() {
        return Styled::default();
    }
    let style: String = style.chars().filter(|c| !c.is_whitespace()).map(|c| c.to_ascii_lowercase()).collect();
    let (mut flat, mut narrow, mut clipped, mut away) = (false, false, false, false);
    let (mut folded, mut faint, mut moving) = (false, false, false);
    for declaration in style.split(';') {
        let Some((name, value)) = declaration.split_once(':') else { continue };
        let value = value.trim_end_matches("!important");
        let nothing = || zero_length(value);
        let hidden = match name {
            "content-visibility" => value == "hidden",
            "font-size" | "zoom" => nothing(),
            "font" => value.starts_with("0/") || value.starts_with("0px"),
            "color" => value == "transparent",
            "clip" => value.starts_with("rect(0") || value.starts_with("rect(1px"),
            "clip-path" => value.starts_with("inset(50%") || value.starts_with("inset(100%"),
            "transform" => value.starts_with("scale(0)"),
            _ => false,
        };
        if hidden {
            return Styled { sight: Sight::Hidden, is_folded: false };
        }
        match name {
            "display" => folded |= value == "none",
            "visibility" => faint |= matches!(value, "hidden" | "collapse"),
            "opacity" => {
                faint |= value.trim_end_matches('%').parse::<f32>().is_ok_and(|opacity| opacity < 0.05);
            }
            "transform" | "-webkit-transform" | "transition" | "will-change" | "animation" => moving |= value != "none",
            "text-indent" | "left" | "top" | "right" | "margin-left" | "margin-top" => away |= far_off(value),
            "height" | "max-height" => flat |= nothing(),
            "width" | "max-width" => narrow |= nothing(),
            "overflow" | "overflow-x" | "overflow-y" => clipped |= matches!(value, "hidden" | "clip"),
            _ => {}
        }
    }
    let sight = match () {
        () if away || (flat && narrow) || (clipped && narrow) => {
            return Styled { sight: Sight::Hidden, is_folded: false };
        }
        () if folded || (clipped && flat) => Sight::Hidden,
        // It comes into sight with a movement.
        () if faint && !moving => Sight::Later,
        () => Sight::Seen,
    };
    Styled { sight, is_folded: folded || flat }
}

fn zero_length(value: &str) -> bool {
    let digits = value.trim_end_matches(|c: char| c.is_ascii_alphabetic() || c == '%');
    digits.parse::<f32>().is_ok_and(|length| length.abs() < 1.5)
        && (value.ends_with("px") || digits.parse() == Ok(0.0_f32))
}

fn far_off(value: &str) -> bool {
    let digits = value.trim_end_matches(|c: char| c.is_ascii_alphabetic() || c == '%');
    digits.parse::<f32>().is_ok_and(|length| length <= -900.0 || (length <= -90.0 && value.ends_with("em")))
}

/// Whether one of the words of class names or ids is wanted; they are asked about in lower case, `mainMenu` as two. Every
/// element is asked about, so no word is copied to the heap; one that is longer than any that is known is passed over.
fn any_word(names: &str, mut wanted: impl FnMut(&str) -> bool) -> bool {
    let mut word = [0_u8; 16];
    let mut length = 0;
    let mut before_upper = true;
    let mut ask = |word: &[u8; 16], length: usize| {
        let word = word.get(..length).filter(|word| !word.is_empty());
        word.and_then(|word| std::str::from_utf8(word).ok()).is_some_and(&mut wanted)
    };
    for byte in names.bytes() {
        let begins = !byte.is_ascii_alphanumeric() || (byte.is_ascii_uppercase() && !before_upper);
        before_upper = !byte.is_ascii_alphanumeric() || byte.is_ascii_uppercase();
        if begins {
            if ask(&word, length) {
                return true;
            }
            length = 0;
        }
        if byte.is_ascii_alphanumeric() {
            if let Some(slot) = word.get_mut(length) {
                *slot = byte.to_ascii_lowercase();
            }
            length += 1;
        }
    }
    ask(&word, length)
}

/// Whether a class name hides the element on a wide screen. `hidden lg:block` is seen there, `lg:hidden` is not.
fn is_hidden_class(classes: &str) -> bool {
    let mut hidden = false;
    for class in classes.split_ascii_whitespace() {
        let (condition, name) = class.rsplit_once(':').unwrap_or_default();
        let wide = matches!(condition, "sm" | "md" | "lg" | "xl" | "2xl");
        match (class, name) {
            (_, "hidden" | "invisible") if wide => return true,
            (
                _,
                "block" | "flex" | "grid" | "inline" | "inline-block" | "inline-flex" | "contents" | "table"
                | "visible",
            ) if wide => {
                return false;
            }
            _ if class.strip_prefix("d-").is_some_and(|rest| rest.contains('-')) => {
                let shown = !class.ends_with("-none");
                if class.starts_with("d-print-") {
                    continue;
                }
                return !shown;
            }
            (class, _) => hidden |= HIDDEN_CLASSES.contains(class),
        }
    }
    hidden
}

type Words = LazyLock<HashSet<&'static str>>;

fn words(list: &'static str) -> HashSet<&'static str> {
    list.split_whitespace().collect()
}

static HIDDEN_WORDS: Words = LazyLock::new(|| words("linenos lineno headerlink editsection"));
static HIDDEN_CLASSES: Words = LazyLock::new(|| {
    words(
        "
        sr-only visually-hidden visuallyhidden screen-reader-text screenreader-only hidden hideme d-none invisible
        skip-link skip-to-content gutter line-number line-numbers-rows src-line-numbers noprint",
    )
});
/// What holds the words of readers.
static COMMENT_WORDS: Words =
    LazyLock::new(|| words("comment commentlist comments respond review reviews wpd wpdiscuz"));
/// What says little beside the content.
static SMALL_WORDS: Words = LazyLock::new(|| words("cta ctas extras pairs postprofile userinfo vote votes voting"));
/// What only frames are called.
static FRAME_WORDS: Words = LazyLock::new(|| {
    words(
        "
        ad ads advert advertisement banner breadcrumb breadcrumbs catlinks consent cookie cookies disqus footer gdpr
        jumplink masthead modal nav navbar navbox navfooter navheader navigation newsletter pager pagination paywall
        popover popup prevnext printfooter promo rightbar share sharing sidebar sidebars sidenav signup skiplink
        social sponsor sponsored subscribe toast toolbar tooltip",
    )
});
/// What frames are called, and sometimes content.
static LINK_FRAME_WORDS: Words = LazyLock::new(|| {
    words("actions bottom contents crumbs extra header links login menu related search tags toc tools top widget")
});

#[cfg(test)]
mod tests;
