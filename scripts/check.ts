import { layersCheck, runChecks, staticChecks } from './run-checks.ts';

const ends = await runChecks([...staticChecks, layersCheck]);
const failed = ends.filter((end) => !end.ok).map((end) => end.name);
console.log(failed.length === 0 ? 'All checks passed.' : `Checks failed: ${failed.join(', ')}.`);
process.exitCode = failed.length === 0 ? 0 : 1;
