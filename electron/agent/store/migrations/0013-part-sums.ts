/** `parts.from_start`: 1 where `sha256` is that of the file from its first byte to the end of the part; 0: of the part alone. */
export const partSums = `
ALTER TABLE parts ADD COLUMN from_start INTEGER NOT NULL DEFAULT 0;
`;
