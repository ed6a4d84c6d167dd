import { describe, expect, it } from 'vitest';
import type { DeskState } from '../../../../electron/desktop/tray/health-poll.ts';
import { createTray, trayMenu, trayStateOf, hasTrayPlace } from '../../../../electron/desktop/tray/tray.ts';
import { failureSchema } from '../../../../shared/domain/failure.ts';
import { healthOf, progressOf, say } from '../../../helpers/desk-tools.ts';

const failure = failureSchema.parse({
  code: 'NETWORK',
  message: 'api.example.com cannot be reached.',
  advice: 'Check the network.',
  retryable: true,
});
const pausedCircuits = [{ circuit: 'service' as const, failure, since: '2026-05-01T19:40:00.000Z' }];
const root = (isOnline: boolean) => ({ path: '/exports', isOnline, settling: 0 });

const desk = (change: Parameters<typeof healthOf>[0] = {}, bytesTotal = 0): DeskState => ({
  health: healthOf(change),
  progress: progressOf({ bytesTotal }),
});

const noExports = {
  held: 0,
  missing: 0,
  unrecognised: 0,
  reading: 0,
  writing: 0,
  settling: 0,
  copy: 0,
  onHold: 0,
  ignored: 0,
};

describe('the state in the tray', () => {
  it.each([
    ['nothing to do', desk(), 'idle', 'No clips waiting'],
    ['bytes move', desk({ queue: { waiting: 3 } }, 1_200_000), 'working', 'Uploading: 3 clips left, 1.2 MB'],
    ['a person paused', desk({ isPaused: true, queue: { waiting: 1 } }), 'paused', 'Paused, 1 clip left'],
    ['paused and empty', desk({ isPaused: true }), 'paused', 'Paused'],
    [
      'the service is away',
      desk({ pausedCircuits, queue: { waiting: 3 } }),
      'paused',
      'On hold: api.example.com cannot be reached.',
    ],
    ['a clip failed', desk({ queue: { failed: 1 } }), 'failed', '1 clip failed'],
    [
      'failed ones among others',
      desk({ queue: { failed: 2, waiting: 5 } }),
      'failed',
      '2 clips failed · Uploading: 5 clips left',
    ],
    [
      'failed and paused',
      desk({ isPaused: true, queue: { failed: 2, waiting: 5 } }),
      'failed',
      '2 clips failed · Paused, 5 clips left',
    ],
    [
      'exports wait for a person',
      desk({ exports: { ...noExports, held: 1, unrecognised: 1, settling: 3, copy: 2 } }),
      'failed',
      '2 exports need attention',
    ],
    [
      'one export waits while others go out',
      desk({ exports: { ...noExports, held: 1 }, queue: { waiting: 1 } }),
      'failed',
      '1 export needs attention · Uploading: 1 clip left',
    ],
    ['a record was refused', desk({ queue: { refused: 1 } }), 'failed', '1 incident was refused'],
    [
      'a folder waits for an answer',
      desk({ roots: [{ ...root(true), failure }] }),
      'failed',
      '1 folder needs attention',
    ],
    ['only copies lie there', desk({ exports: { ...noExports, copy: 2 } }), 'idle', 'No clips waiting'],
    ['there is no service', { ...desk(), missingSetup: 'No service address' }, 'idle', 'No service address'],
    [
      'there is no key, and clips wait for one',
      { ...desk({ pausedCircuits, queue: { waiting: 3 } }), missingSetup: 'No API key' },
      'paused',
      'No API key · 3 clips left',
    ],
    [
      'there is no key, and all is paused',
      { ...desk({ isPaused: true, queue: { waiting: 3 } }), missingSetup: 'No API key' },
      'paused',
      'Paused, 3 clips left · No API key',
    ],
    ['a folder is away', desk({ roots: [root(false), root(true)] }), 'failed', '1 folder cannot be read'],
  ])('%s', (_name, state, glyph, line) => {
    expect(trayStateOf(state, say)).toMatchObject({ glyph, line });
  });

  it('offers neither pause nor resume before the agent answers', () => {
    const state = trayStateOf({ health: undefined, progress: progressOf() }, say);
    expect(state).toEqual({ glyph: 'idle', line: 'The agent is starting', isPaused: undefined, failed: 0 });
  });

  it('shows what hides in a message, and cuts a long one', () => {
    const long = { ...failure, message: `\u202E${'x'.repeat(500)}` };
    const circuits = [{ circuit: 'service' as const, failure: long, since: '2026-05-01T19:40:00.000Z' }];
    const { line } = trayStateOf(desk({ pausedCircuits: circuits }), say);
    expect(line).toMatch(/^On hold: <U\+202E>x+…$/);
    expect(line.length).toBeLessThan(127);
  });
});

const commands = {
  open: () => undefined,
  pause: () => undefined,
  resume: () => undefined,
  showFailed: () => undefined,
  addFolder: () => undefined,
  quit: () => undefined,
};

describe('the menu of the tray', () => {
  it('begins with the state and ends with quitting', () => {
    const items = trayMenu(trayStateOf(desk({ queue: { failed: 2 } }), say), commands, say);
    expect(
      items.flatMap(({ label, enabled }) => (label === undefined ? [] : [[label, enabled ?? true]])),
    ).toEqual([
      ['2 clips failed', false],
      ['Pause all uploads', true],
      ['Failed (2)', true],
      ['Open', true],
      ['Add folder…', true],
      ['Quit', true],
    ]);
  });

  it('resumes what a person paused', () => {
    const [, , pause] = trayMenu(trayStateOf(desk({ isPaused: true }), say), commands, say);
    expect(pause).toMatchObject({ label: 'Resume all uploads', click: commands.resume });
  });

  it('shows an ampersand as itself', () => {
    const state = { glyph: 'idle' as const, line: 'Ramp & Pier', isPaused: false, failed: 0 };
    expect(trayMenu(state, commands, say)[0]?.label).toBe('Ramp && Pier');
  });
});

describe('the tray', () => {
  it('is touched only when something that it shows has changed', () => {
    const shown: string[] = [];
    const icon = { show: (_glyph: string, line: string) => void shown.push(line), destroy: () => undefined };
    const tray = createTray(icon, commands, say);
    tray.update(desk());
    tray.update(desk());
    tray.update(desk({ queue: { failed: 1 } }));
    tray.update(desk({ queue: { failed: 1 } }));
    expect(shown).toEqual(['No clips waiting', '1 clip failed']);
  });
});

const bus = (answers: Readonly<Record<string, string>>) => async (program: string) => {
  const answer = answers[program];
  if (answer === undefined) throw new Error(`spawn ${program} ENOENT`);
  return answer;
};

describe('whether an icon in the tray is seen', () => {
  it.each([
    [{ '/usr/bin/gdbus': '(true,)\n' }, true],
    [{ '/usr/bin/gdbus': '(false,)\n' }, false],
    [{ '/usr/bin/dbus-send': 'method return time=1.2\n   boolean true\n' }, true],
    [{ '/usr/bin/dbus-send': 'method return time=1.2\n   boolean false\n' }, false],
    [{}, false],
  ])('on Linux the session says: %j', async (answers, isSeen) => {
    expect(await hasTrayPlace('linux', bus(answers))).toBe(isSeen);
  });

  it.each(['win32', 'darwin'] as const)('%s has always one', async (platform) => {
    expect(await hasTrayPlace(platform, bus({}))).toBe(true);
  });
});
