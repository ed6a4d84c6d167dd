import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const files = globSync('electron/**/*.ts').map((path) => ({
  path: path.replaceAll('\\', '/'),
  text: readFileSync(path, 'utf8'),
}));
const filesWith = (pattern: RegExp): readonly string[] =>
  files.filter(({ text }) => pattern.test(text)).map(({ path }) => path);

describe('checklist 11: what reaches out of the app stands in one place', () => {
  it.each([
    // A browser is opened only for the fixed addresses of the help
    [/\.openExternal\(/, ['electron/desktop/window/app-menu.ts']],
    // Opening a file runs whatever program the system has for it
    [/\.openPath\(/, []],
    // A file is shown only after the agent located it
    [/\.showItemInFolder\(/, ['electron/desktop/start-app.ts']],
    // Keys are encrypted without blocking, and never with a password that everyone knows
    [/\b(?:en|de)cryptString\(|setUsePlainTextEncryption/, []],
    [/crashReporter/, []],
    [/from 'electron-updater'|import\('electron-updater'\)/, ['electron/desktop/updates/open-updates.ts']],
  ])('%s', (pattern, places) => {
    expect(filesWith(pattern)).toEqual(places);
  });
});
