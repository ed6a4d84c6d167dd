/** Where the packages come from and why each is there: a part of `npm run check`. */
import { readFileSync } from 'node:fs';
import { readLock } from './package/lock-file.ts';
import { decidedPackages } from './supply/decided-packages.ts';
import { supplyProblems } from './supply/supply-problems.ts';

const read = (file: string): string => readFileSync(file, 'utf8');
const manifest: unknown = JSON.parse(read('package.json'));
const locked = readLock();
const decided = decidedPackages(read('docs/decisions.md'));
const problems = supplyProblems({ npmrc: read('.npmrc'), manifest, locked, decided });
for (const problem of problems) console.log(problem);
console.log(
  `${locked.length} packages in the lock file, ${decided.length} chosen; ${problems.length} problems`,
);
process.exitCode = problems.length === 0 ? 0 : 1;
