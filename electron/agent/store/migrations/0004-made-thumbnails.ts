/**
 * Images that were made from their clip, beside those that an export brought: `origin` keeps them apart, `made` says what
 * is known of one (JSON). Their files lie in the data folder; `path` is the name there.
 */
export const madeThumbnails = `
ALTER TABLE thumbnails ADD COLUMN origin TEXT NOT NULL DEFAULT 'export' CHECK (origin IN ('export', 'made'));
ALTER TABLE thumbnails ADD COLUMN made TEXT;
`;
