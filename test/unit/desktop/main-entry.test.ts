import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const RECORDER = fileURLToPath(new URL('../../helpers/record-main.ts', import.meta.url));
const MAIN = fileURLToPath(new URL('../../../electron/main.ts', import.meta.url));

interface Run {
  readonly args?: readonly string[];
  readonly isFirst?: boolean;
  readonly isPackaged?: boolean;
  /** Application data folder of the account. */
  readonly appData?: string;
}

/** Runs the entry of the desktop app with recorders around it; returns its exit code and its calls in order. */
function run({ args = [], isFirst = true, isPackaged = false, appData = '/nowhere' }: Run = {}): Promise<{
  readonly code: number;
  readonly calls: readonly string[];
  readonly said: string;
}> {
  const env = {
    ...process.env,
    IS_FIRST: isFirst ? 'yes' : 'no',
    IS_PACKAGED: isPackaged ? 'yes' : 'no',
    APP_DATA: appData,
    DISPLAY: '',
    WAYLAND_DISPLAY: '',
  };
  return new Promise((done) => {
    const command = ['--no-warnings', '--import', RECORDER, MAIN, ...args];
    const child = execFile(process.execPath, command, { env }, (_error, stdout, said) =>
      done({ code: child.exitCode ?? -1, calls: JSON.parse(stdout || '["nothing was recorded"]'), said }),
    );
  });
}

describe('the first moments of the desktop app', () => {
  it('checklist 2: put up sandbox and scheme and ask for the one place, before anything else is started', async () => {
    expect(await run()).toMatchObject({
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
    const { code, calls, said } = await run({ args, isPackaged });
    expect([code, calls]).toEqual([64, ['app.getPath', 'app.exit']]);
    expect(said).toMatch(/^VMS Export Agent did not start: the --/);
  });

  it('say why they end in the language that the app was last shown in', async () => {
    const appData = await mkdtemp(join(tmpdir(), 'main-entry-'));
    try {
      await mkdir(join(appData, 'vms-export-agent'));
      await writeFile(join(appData, 'vms-export-agent', 'desktop.json'), '{ "language": "en-XA" }');
      const { said } = await run({ args: ['--disable-web-security'], appData });
      expect(said).toMatch(/^\[VMŠ .*--disable-web-security.*~\]\n$/);
    } finally {
      await rm(appData, { recursive: true });
    }
  });
});
