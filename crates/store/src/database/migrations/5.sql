-- The media type of an artifact that is no text: of an image, audio or other bytes.

ALTER TABLE artifacts ADD COLUMN media_type TEXT;
