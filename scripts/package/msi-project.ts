import { readFileSync, writeFileSync } from 'node:fs';

/** One file of the MSI as the builder declares it. */
const UPDATE_FILE = /<Component[^>]*>\s*<File Name="app-update\.yml"[^>]*\/>\s*<\/Component>\s*/g;

/** Runs when the builder has described the MSI and before it is made. */
export function msiProjectCreated(file: string): void {
  writeFileSync(file, withoutUpdateFile(readFileSync(file, 'utf8')));
}

/**
 * The description without the file by which a copy knows that it may update itself: NSIS and MSI are packed from one
 * folder. Throws when it stands there in another form than the builder's.
 */
export function withoutUpdateFile(project: string): string {
  const without = project.replaceAll(UPDATE_FILE, '');
  if (without.includes('app-update.yml'))
    throw new Error(
      'The MSI would carry app-update.yml, and its copies would update themselves as if made by NSIS.',
    );
  return without;
}
