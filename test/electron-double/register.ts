import { registerHooks } from 'node:module';
import './system-files.ts';

/** Names under which Electron gives its modules to the main process. */
const names: ReadonlySet<string> = new Set(['electron', 'electron/main', 'electron/common']);
const double = new URL('electron.ts', import.meta.url).href;

// Started with --import: whatever the app loads as Electron is the double.
registerHooks({
  resolve: (specifier, context, next) =>
    names.has(specifier) ? { url: double, shortCircuit: true } : next(specifier, context),
});
