/** Longest side of a picture that is made, pixels: a list shows it small, a phone at full width. */
export const MAX_THUMBNAIL_SIDE = 640;
/** Largest picture that is made, bytes. */
export const MAX_MADE_BYTES = 200_000;
/** How long the making of one picture may take, milliseconds: most take less than one second. */
export const THUMBNAIL_DEADLINE_MS = 20_000;
/** Most bytes of a clip that are read for its picture: an index of 24 hours and some seconds of 4K fit in. */
export const MAX_CLIP_BYTES_READ = 64 * 1024 * 1024;
