/** Writes build/policies from the settings: `npm run policies`, after a setting was added or changed. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { policyFiles } from './policies/policy-files.ts';

for (const [path, text] of policyFiles()) {
  const file = join('build/policies', path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  console.log(file);
}
