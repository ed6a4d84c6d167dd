/**
 * Loaded before electron/main.ts (`node --import`): replaces Electron and what main starts by recorders, so that the
 * order of main's first calls can be checked. The calls are printed as JSON when the process ends.
 */
import { registerHooks } from 'node:module';

const names = [
  ...['app', 'BrowserWindow', 'dialog', 'ipcMain', 'Menu', 'nativeImage', 'nativeTheme', 'Notification'],
  ...['powerMonitor', 'powerSaveBlocker', 'protocol', 'safeStorage', 'screen', 'session', 'shell', 'Tray'],
];
const calls: string[] = [];
const note = (call: string): void => {
  // Notes for each call whether the prototypes were already frozen
  calls.push(Object.isFrozen(Object.prototype) ? call : `${call}, open to all`);
};
const answers: Readonly<Record<string, unknown>> = {
  isPackaged: process.env['IS_PACKAGED'] === 'yes',
  commandLine: { hasSwitch: () => true },
  getPath: () => process.env['APP_DATA'] ?? '/nowhere',
  requestSingleInstanceLock: () => process.env['IS_FIRST'] === 'yes',
  exit: (code: number | undefined) => process.exit(code ?? 0),
};

function recorder(module: string): unknown {
  return new Proxy(
    {},
    {
      get(_target, name) {
        const answer = answers[String(name)];
        if (answer !== undefined && typeof answer !== 'function') return answer;
        return (...args: readonly unknown[]) => {
          note(`${module}.${String(name)}`);
          return typeof answer === 'function' ? Reflect.apply(answer, undefined, args) : undefined;
        };
      },
    },
  );
}

Reflect.set(globalThis, 'recordedElectron', Object.fromEntries(names.map((name) => [name, recorder(name)])));
Reflect.set(globalThis, 'recordedStart', async () => note('startApp'));
process.on('exit', () => process.stdout.write(JSON.stringify(calls)));

const asModule = (source: string) => `data:text/javascript,${encodeURIComponent(source)}`;
const electron = asModule(names.map((name) => `export const ${name} = recordedElectron.${name};`).join('\n'));
const start = asModule('export const startApp = recordedStart;');

registerHooks({
  resolve(specifier, context, next) {
    if (/^electron(\/|$)/.test(specifier)) return { url: electron, shortCircuit: true };
    if (specifier.endsWith('/start-app.ts')) return { url: start, shortCircuit: true };
    return next(specifier, context);
  },
});
