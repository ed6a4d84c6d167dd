import { registerHooks } from 'node:module';
import { meetArchives } from './asar.ts';
import { OPTIONS_VARIABLE, type DoubleOptions } from './control.ts';
import './system-files.ts';

/** Module names that Electron provides in the main process. */
const names: ReadonlySet<string> = new Set(['electron', 'electron/main', 'electron/common']);
const double = new URL('electron.ts', import.meta.url).href;
const forPackages = new URL('packages.ts', import.meta.url).href;

// Loaded with --import: whatever the app imports as Electron becomes the double.
registerHooks({
  resolve(specifier, context, next) {
    if (!names.has(specifier)) return next(specifier, context);
    const isPackage = context.parentURL?.includes('/node_modules/') === true;
    return { url: isPackage ? forPackages : double, shortCircuit: true };
  },
});

const { isPackaged } = JSON.parse(process.env[OPTIONS_VARIABLE] ?? '{}') as Partial<DoubleOptions>;
meetArchives(isPackaged === true);
