import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const RECORDER = fileURLToPath(new URL('../../helpers/record-main.ts', import.meta.url));
const MAIN = fileURLToPath(new URL('../../../electron/main.ts', import.meta.url));

interface Run {
  readonly args?: readonly string[];
  readonly isFirst?: boolean;
  readonly isPackaged?: boolean;
}

/** Runs the entry of the desktop app with recorders around it: its exit code, and what it called in its order. */
function run({ args = [], isFirst = true, isPackaged = false }: Run = {}): Promise<{
  readonly code: number;
  readonly calls: readonly string[];
}> {
  const env = {
    ...process.env,
    IS_FIRST: isFirst ? 'yes' : 'no',
    IS_PACKAGED: isPackaged ? 'yes' : 'no',
  };
  return new Promise((done) => {
    const command = ['--no-warnings', '--import', RECORDER, MAIN, ...args];
    const child = execFile(process.execPath, command, { env }, (_error, stdout) =>
      done({ code: child.exitCode ?? -1, calls: JSON.parse(stdout || '["nothing was recorded"]') }),
    );
  });
}

describe('the first moments of the desktop app', () => {
  it('checklist 2: put up sandbox and scheme and ask for the one place, before anything else is started', async () => {
    expect(await run()).toEqual({
      code: 0,
      calls: [
        'app.enableSandbox',
        'protocol.registerSchemesAsPrivileged',
        'app.getPath',
      'app.getPath',
        'app.getPath',
        'app.requestSingleInstanceLock',
        'startApp',
      ],
    });
  });

  it('start nothing beside an app that runs', async () => {
    const { code, calls } = await run({ isFirst: false });
    expect([code, calls.at(-1), calls.includes('startApp')]).toEqual([0, 'app.exit', false]);
  });

  it.each([
    [['--remote-debugging-port=1'], true],
    [['--disable-web-security'], false],
  ] as const)('end with 64 for %j', async (args, isPackaged) => {
    expect(await run({ args, isPackaged })).toEqual({ code: 64, calls: ['app.exit'] });
  });
});
