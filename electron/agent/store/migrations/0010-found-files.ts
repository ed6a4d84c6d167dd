/**
 * A clip's file as it was when it was found: its change time and, where it was hashed then, its SHA-256. Both stay what
 * they were; `altered` is JSON of both sums once the bytes that were sent turned out to be others.
 */
export const foundFiles = `
ALTER TABLE clips ADD COLUMN found_ctime_ns TEXT;
ALTER TABLE clips ADD COLUMN found_sha256 TEXT;
ALTER TABLE clips ADD COLUMN altered TEXT;
`;
