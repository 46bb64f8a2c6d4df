//! What an element's attributes say: whether it is hidden, whether it frames the content or is it, what language its code
//! is in. Class names are taken apart into words, since `site-footer`, `footer_wrap` and `footer` mean the same.

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
    aria_hidden: bool,
    open: bool,
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
        (self.hidden, self.aria_hidden, self.open) = (false, false, false);
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
            b"hidden" => return self.hidden = true,
            b"open" => return self.open = true,
            b"aria-hidden" => return self.aria_hidden = value.eq_ignore_ascii_case(b"true"),
            _ => return,
        };
        if slot.is_empty() && value.len() <= VALUE {
            slot.push_str(&String::from_utf8_lossy(value));
        }
    }

    /// Whether nobody sees the element: text that only a program reads is how pages talk to models behind people's backs.
    pub(super) fn is_hidden(&self, name: &[u8]) -> bool {
        self.hidden
            || self.aria_hidden
            || (name == b"dialog" && !self.open)
            || (name == b"annotation" || name == b"annotation-xml")
            || (is_zero(&self.width) && is_zero(&self.height))
            || hides(&self.style)
            || any_word(&self.class, |word| HIDDEN_WORDS.contains(&word))
            || self.class.split_ascii_whitespace().any(|class| HIDDEN_CLASSES.contains(&class))
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
        let mut hint = Hint::None;
        let mut is_frame = |word: &str| {
            if LINK_FRAME_WORDS.binary_search(&word).is_ok() {
                hint = Hint::FrameOfLinks;
            }
            FRAME_WORDS.binary_search(&word).is_ok()
        };
        if any_word(&self.class, &mut is_frame) || any_word(&self.id, &mut is_frame) {
            return Hint::Frame;
        }
        hint
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

/// Whether a `style` attribute keeps an element from being seen.
fn hides(style: &str) -> bool {
    if style.is_empty() {
        return false;
    }
    let style: String = style.chars().filter(|c| !c.is_whitespace()).map(|c| c.to_ascii_lowercase()).collect();
    let (mut flat, mut narrow, mut clipped, mut away) = (false, false, false, false);
    for declaration in style.split(';') {
        let Some((name, value)) = declaration.split_once(':') else { continue };
        let value = value.trim_end_matches("!important");
        let nothing = || zero_length(value);
        match name {
            "display" if value == "none" => return true,
            "visibility" if matches!(value, "hidden" | "collapse") => return true,
            "content-visibility" if value == "hidden" => return true,
            "opacity" if value.trim_end_matches('%').parse::<f32>().is_ok_and(|opacity| opacity < 0.05) => return true,
            "font-size" | "zoom" if nothing() => return true,
            "font" if value.starts_with("0/") || value.starts_with("0px") => return true,
            "color" if value == "transparent" => return true,
            "clip" if value.starts_with("rect(0") || value.starts_with("rect(1px") => return true,
            "clip-path" if value.starts_with("inset(50%") || value.starts_with("inset(100%") => return true,
            "transform" if value.starts_with("scale(0)") => return true,
            "text-indent" | "left" | "top" | "right" | "margin-left" | "margin-top" => away |= far_off(value),
            "height" | "max-height" if nothing() => flat = true,
            "width" | "max-width" if nothing() => narrow = true,
            "overflow" | "overflow-x" | "overflow-y" if matches!(value, "hidden" | "clip") => clipped = true,
            _ => {}
        }
    }
    away || (flat && narrow) || (clipped && (flat || narrow))
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

const HIDDEN_WORDS: &[&str] = &["linenos", "lineno", "headerlink", "editsection", "gutter"];
const HIDDEN_CLASSES: &[&str] = &[
    "sr-only",
    "visually-hidden",
    "visuallyhidden",
    "screen-reader-text",
    "screenreader-only",
    "hidden",
    "hideme",
    "d-none",
    "invisible",
    "skip-link",
    "skip-to-content",
    "line-number",
    "line-numbers-rows",
    "src-line-numbers",
    "noprint",
];
/// Sorted. What only frames are called.
const FRAME_WORDS: &[&str] = &[
    "ad",
    "ads",
    "advert",
    "advertisement",
    "banner",
    "breadcrumb",
    "breadcrumbs",
    "catlinks",
    "consent",
    "cookie",
    "cookies",
    "disqus",
    "footer",
    "gdpr",
    "jumplink",
    "masthead",
    "modal",
    "nav",
    "navbar",
    "navbox",
    "navfooter",
    "navheader",
    "navigation",
    "newsletter",
    "pager",
    "pagination",
    "paywall",
    "popover",
    "popup",
    "prevnext",
    "printfooter",
    "promo",
    "rightbar",
    "share",
    "sharing",
    "sidebar",
    "sidebars",
    "sidenav",
    "signup",
    "skiplink",
    "social",
    "sponsor",
    "sponsored",
    "subscribe",
    "toast",
    "toolbar",
    "tooltip",
];
/// Sorted. What frames are called, and sometimes content.
const LINK_FRAME_WORDS: &[&str] = &[
    "actions", "bottom", "contents", "crumbs", "extra", "header", "links", "login", "menu", "related", "search",
    "tags", "toc", "tools", "top", "widget",
];

#[cfg(test)]
mod tests;
