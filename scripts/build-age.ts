import { globSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** What the build is made of, and a file of each of its parts. */
const sources = ['{electron,shared,renderer}/**/*', 'package.json', 'package-lock.json', 'vite.config.ts'];
const products = ['dist/main/main.js', 'dist/preload/preload.cjs', 'dist/renderer/index.html'];

/** Whether the built app is missing or older than something that it is built from. */
export function isBuildOld(root: string): boolean {
  const built = products.map((path) => changedMs(join(root, path)));
  if (built.includes(undefined)) return true;
  const oldest = Math.min(...built.map((time) => time ?? 0));
  return globSync(sources, { cwd: root }).some((path) => (changedMs(join(root, path)) ?? 0) > oldest);
}

/** Of a file; folders change when something else does. */
function changedMs(path: string): number | undefined {
  const facts = statSync(path, { throwIfNoEntry: false });
  return facts?.isFile() === true ? facts.mtimeMs : undefined;
}
