import { isBuildOld } from './build-age.ts';
import { buildApp, passTo } from './run-program.ts';

// The console of `run` shows the pages: in a checkout they are built when they are missing or old, as for `npm start`
const args = process.argv.slice(2);
if (args[0] === 'run' && !args.includes('--help') && isBuildOld('.')) await buildApp();
passTo(process.execPath, ['scripts/launch.mjs', 'electron/headless.ts', ...args]);
