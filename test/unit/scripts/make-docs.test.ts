import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { generatedPages } from '../../../scripts/make-docs.ts';

it('settings and commands are described as they are (else: npm run docs)', { timeout: 60_000 }, async () => {
  for (const [path, text] of await generatedPages()) expect(readFileSync(path, 'utf8'), path).toBe(text);
});
