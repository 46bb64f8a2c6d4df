//! The elements that are told apart, and what each means for reading. Everything else is a block or a run of text.

/// An element, or a text, as far as reading needs to know it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tag {
    Text,
    Anchor,
    Article,
    Aside,
    Blockquote,
    Body,
    Break,
    Button,
    Caption,
    Code,
    Definition,
    Term,
    Emphasis,
    Figcaption,
    Footer,
    Form,
    Heading(u8),
    Head,
    Header,
    Html,
    Image,
    Item,
    Main,
    Nav,
    Noscript,
    Numbered,
    Bulleted,
    Paragraph,
    Preformatted,
    Row,
    RowGroup,
    Cell,
    HeadCell,
    Rule,
    Silent,
    Strong,
    Superscript,
    Table,
    Title,
    Block,
    Inline,
    Void,
    Base,
}

impl Tag {
    /// The element of this name, in lower case.
    #[allow(clippy::match_same_arms, reason = "one line a meaning")]
    pub(super) fn of(name: &[u8]) -> Self {
        match name {
            b"a" => Self::Anchor,
            b"article" => Self::Article,
            b"aside" => Self::Aside,
            b"blockquote" => Self::Blockquote,
            b"body" => Self::Body,
            b"br" => Self::Break,
            b"button" => Self::Button,
            b"caption" => Self::Caption,
            b"code" | b"tt" | b"kbd" | b"samp" => Self::Code,
            b"dd" => Self::Definition,
            b"dt" => Self::Term,
            b"em" | b"i" => Self::Emphasis,
            b"figcaption" => Self::Figcaption,
            b"footer" => Self::Footer,
            b"form" => Self::Form,
            b"h1" => Self::Heading(1),
            b"h2" => Self::Heading(2),
            b"h3" => Self::Heading(3),
            b"h4" => Self::Heading(4),
            b"h5" => Self::Heading(5),
            b"h6" => Self::Heading(6),
            b"head" => Self::Head,
            b"header" => Self::Header,
            b"html" => Self::Html,
            b"img" => Self::Image,
            b"li" => Self::Item,
            b"main" => Self::Main,
            b"nav" => Self::Nav,
            b"noscript" => Self::Noscript,
            b"ol" => Self::Numbered,
            b"ul" | b"menu" | b"dir" => Self::Bulleted,
            b"p" => Self::Paragraph,
            b"pre" | b"listing" | b"xmp" | b"plaintext" => Self::Preformatted,
            b"tr" => Self::Row,
            b"thead" | b"tbody" | b"tfoot" => Self::RowGroup,
            b"td" => Self::Cell,
            b"th" => Self::HeadCell,
            b"hr" => Self::Rule,
            b"script" | b"style" | b"template" | b"svg" | b"canvas" | b"object" | b"audio" | b"video" | b"iframe"
            | b"select" | b"textarea" | b"datalist" | b"noembed" | b"noframes" | b"frameset" | b"map" | b"progress"
            | b"meter" | b"rp" | b"math-annotation" => Self::Silent,
            b"strong" | b"b" => Self::Strong,
            b"sup" => Self::Superscript,
            b"table" => Self::Table,
            b"title" => Self::Title,
            b"base" => Self::Base,
            b"address" | b"center" | b"dd-list" | b"details" | b"dialog" | b"div" | b"dl" | b"fieldset" | b"figure"
            | b"hgroup" | b"legend" | b"option" | b"optgroup" | b"search" | b"section" | b"summary" => Self::Block,
            b"area" | b"basefont" | b"bgsound" | b"col" | b"embed" | b"frame" | b"input" | b"keygen" | b"link"
            | b"meta" | b"param" | b"source" | b"track" | b"wbr" => Self::Void,
            _ => Self::Inline,
        }
    }

    /// Whether it has no content and no end.
    pub(super) const fn is_void(self) -> bool {
        matches!(self, Self::Break | Self::Image | Self::Rule | Self::Void | Self::Base)
    }

    /// Whether it stands on lines of its own.
    pub(super) const fn is_block(self) -> bool {
        !matches!(
            self,
            Self::Text
                | Self::Anchor
                | Self::Break
                | Self::Button
                | Self::Code
                | Self::Emphasis
                | Self::Image
                | Self::Inline
                | Self::Silent
                | Self::Strong
                | Self::Superscript
                | Self::Title
                | Self::Void
                | Self::Base
                | Self::Noscript
        )
    }

    /// Whether it is a run of text that its end tag closes only when no block was opened in it.
    pub(super) const fn is_inline(self) -> bool {
        matches!(
            self,
            Self::Anchor | Self::Code | Self::Emphasis | Self::Inline | Self::Strong | Self::Superscript | Self::Button
        )
    }

    /// Whether an end tag looks no further up than here.
    pub(super) const fn is_boundary(self) -> bool {
        matches!(self, Self::Table | Self::Cell | Self::HeadCell | Self::Caption | Self::Silent | Self::Html)
    }

    /// Whether it ends an open paragraph.
    pub(super) const fn ends_paragraph(self) -> bool {
        self.is_block()
            && !matches!(self, Self::Head | Self::Html | Self::Body | Self::Row | Self::RowGroup | Self::Caption)
            && !matches!(self, Self::Cell | Self::HeadCell)
    }
}
