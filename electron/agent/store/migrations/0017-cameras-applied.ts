/** SHA-256 of the list of cameras that the queue was brought up to date with; null: none yet. */
export const camerasApplied = `
ALTER TABLE desk ADD COLUMN cameras TEXT;
`;
