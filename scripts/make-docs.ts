/** Writes the generated pages of docs: `npm run docs`, after a setting or a command was added or changed. */
import { writeFileSync } from 'node:fs';
import { generatedPages } from './docs/generated-pages.ts';

for (const [path, text] of await generatedPages()) {
  writeFileSync(path, text);
  console.log(path);
}
