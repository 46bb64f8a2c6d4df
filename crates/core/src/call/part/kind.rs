//! The media types of images and audio that are known here, and how their bytes begin.

/// What a model needs in order to take something in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Sense {
    /// For images.
    Sight,
    /// For audio.
    Hearing,
}

/// A known media type of an image or of audio.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MediaKind {
    /// `image/png`.
    Png,
    /// `image/jpeg`.
    Jpeg,
    /// `image/gif`.
    Gif,
    /// `image/webp`.
    WebP,
    /// `audio/wav`.
    Wav,
    /// `audio/mpeg`.
    Mp3,
    /// `audio/ogg`.
    Ogg,
    /// `audio/flac`.
    Flac,
}

impl MediaKind {
    /// Every one, images first.
    pub const ALL: [Self; 8] =
        [Self::Png, Self::Jpeg, Self::Gif, Self::WebP, Self::Wav, Self::Mp3, Self::Ogg, Self::Flac];

    /// The registered name, which is written wherever one of the others was read.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Png => "image/png",
            Self::Jpeg => "image/jpeg",
            Self::Gif => "image/gif",
            Self::WebP => "image/webp",
            Self::Wav => "audio/wav",
            Self::Mp3 => "audio/mpeg",
            Self::Ogg => "audio/ogg",
            Self::Flac => "audio/flac",
        }
    }

    /// Names that are in use and not registered.
    const fn others(self) -> &'static [&'static str] {
        match self {
            Self::Jpeg => &["image/jpg"],
            Self::Wav => &["audio/x-wav", "audio/wave", "audio/vnd.wave"],
            Self::Mp3 => &["audio/mp3"],
            Self::Flac => &["audio/x-flac"],
            Self::Png | Self::Gif | Self::WebP | Self::Ogg => &[],
        }
    }

    /// The one of this name, in any letter case and with any parameters.
    #[must_use]
    pub fn named(media_type: &str) -> Option<Self> {
        let name = media_type.split(';').next().unwrap_or_default().trim();
        let is = |known: &str| name.eq_ignore_ascii_case(known);
        Self::ALL.into_iter().find(|kind| is(kind.name()) || kind.others().iter().any(|other| is(other)))
    }

    /// The one that bytes begin like.
    #[must_use]
    pub fn of_bytes(bytes: &[u8]) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.fits(bytes))
    }

    /// Who can take it in.
    #[must_use]
    pub const fn sense(self) -> Sense {
        match self {
            Self::Png | Self::Jpeg | Self::Gif | Self::WebP => Sense::Sight,
            Self::Wav | Self::Mp3 | Self::Ogg | Self::Flac => Sense::Hearing,
        }
    }

    /// Whether bytes begin as this media type does.
    #[must_use]
    pub fn fits(self, bytes: &[u8]) -> bool {
        let riff = |form: &[u8]| bytes.starts_with(b"RIFF") && bytes.get(8..12) == Some(form);
        match self {
            Self::Png => bytes.starts_with(b"\x89PNG\r\n\x1a\n"),
            Self::Jpeg => bytes.starts_with(b"\xff\xd8\xff"),
            Self::Gif => bytes.starts_with(b"GIF87a") || bytes.starts_with(b"GIF89a"),
            Self::WebP => riff(b"WEBP"),
            Self::Wav => riff(b"WAVE"),
            // A tag, or the header of a frame: eleven bits that are set, and a layer.
            Self::Mp3 => {
                bytes.starts_with(b"ID3")
                    || matches!(bytes, [0xff, second, ..] if second & 0xe0 == 0xe0 && second & 0x06 != 0)
            }
            Self::Ogg => bytes.starts_with(b"OggS"),
            Self::Flac => bytes.starts_with(b"fLaC"),
        }
    }

    /// The names for a sense, or all, as they are listed in a sentence.
    pub(super) fn list(sense: Option<Sense>) -> String {
        let named = Self::ALL.into_iter().filter(|kind| sense.is_none_or(|sense| kind.sense() == sense));
        named.map(Self::name).collect::<Vec<_>>().join(", ")
    }
}
