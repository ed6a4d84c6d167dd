import { rootId } from '../../../../shared/domain/ids.ts';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createHealthReader } from '../../../../electron/agent/calls/health.ts';
import { AgentEvents } from '../../../../electron/agent/events.ts';
import type { WatchState } from '../../../../electron/agent/watch/watcher.ts';
import type { WatchedPath } from '../../../../electron/agent/watch/watched-folders.ts';
import { createFakeClock } from '../../../helpers/fake-clock.ts';
import { openQueue, type QueueFixture } from '../../../helpers/queue-fixture.ts';

let queue: QueueFixture;
beforeEach(async () => {
  queue = await openQueue();
});
afterEach(() => queue.close());

const MINUTE_MS = 60_000;

/** A desk with one watched folder whose last scan and event the test sets. */
function createDesk() {
  const clock = createFakeClock();
  const state: { -readonly [Name in keyof WatchState]: WatchState[Name] } = {
    settling: 0,
    held: 0,
    online: true,
    failure: undefined,
    firstScanDone: true,
    lastScanAt: undefined,
    lastEventAt: undefined,
    idle: true,
  };
  const watcher: WatchedPath['watcher'] = { state: () => state };
  const inFull: { readonly container: string; readonly untilMs: number }[] = [];
  const upload: { whileWriting: 'off' | 'auto'; wastedBytesPerDay: number } = {
    whileWriting: 'off',
    wastedBytesPerDay: 1_000,
  };
  const settings = { siteId: '', upload };
  const reader = createHealthReader({
    version: '1.2.3',
    settings,
    clock,
    events: new AgentEvents(),
    tables: queue.tables,
    reads: { sqliteVersion: () => '3', databaseBytes: () => 1, lastUploadedAt: () => undefined },
    pauses: () => [],
    findings: [],
    serviceClock: { skewMs: () => 0 },
    answerTimes: () => ({ lastMs: 7_000, slowSinceMs: Date.UTC(2026, 4, 1), unanswered: undefined }),
    roots: [{ id: rootId('root'), path: '/exports', watcher, earlyEnds: { inFull: () => inFull } }],
    proof: () => ({}) as never,
    line: () => undefined,
    cleanUp: { state: () => undefined },
    deadlines: { keeps: () => undefined, leaving: () => undefined },
    policy: () => undefined,
  });
  const { tables } = queue;
  return {
    clock,
    state,
    inFull,
    upload,
    settings,
    tables,
    health: reader.read,
    root: () => reader.read().roots[0],
  };
}

it('says how long the service took to answer, and since when it is slow', () => {
  expect(createDesk().health().answers).toEqual({ lastMs: 7_000, slowSince: '2026-05-01T00:00:00.000Z' });
});

it('says when a watched folder was last scanned to its end, and when the system told of a change in it', async () => {
  const { clock, state, root } = createDesk();
  expect(root()).toEqual({ path: '/exports', isOnline: true, settling: 0 });
  state.lastScanAt = clock.now();
  state.lastEventAt = clock.now();
  const now = new Date(clock.now()).toISOString();
  expect(root()).toMatchObject({ scannedAt: now, eventAt: now });
});

it('says which clips of a watched folder wait for the whole settle time, and until when', () => {
  const { inFull, root } = createDesk();
  expect(root()).not.toHaveProperty('inFull');
  inFull.push({ container: 'avi', untilMs: Date.UTC(2026, 5, 1) });
  expect(root()).toMatchObject({ inFull: [{ container: 'avi', until: '2026-06-01T00:00:00.000Z' }] });
});

it('says what was sent in vain while it was written, and which clips wait for it', () => {
  const { clock, upload, settings, tables, health, root } = createDesk();
  const at = clock.now();
  expect(health()).not.toHaveProperty('ahead');
  upload.whileWriting = 'auto';
  expect(health().ahead).toEqual({ wastedBytes: 0, limitBytes: 1_000 });
  for (const _ of [1, 2])
    tables.live.addResult({ rootId: 'root', container: 'mp4' }, { at, sentBytes: 100, voidBytes: 90 });
  const until = new Date(at + 30 * 24 * 60 * MINUTE_MS).toISOString();
  expect(root()).toMatchObject({ notAhead: [{ container: 'mp4', until }] });
  expect(health().ahead).toEqual({ wastedBytes: 180, limitBytes: 1_000 });
  for (const _ of [1, 2])
    tables.live.addResult({ rootId: '', container: '' }, { at, sentBytes: 1, voidBytes: 1 });
  expect(health().ahead).toMatchObject({ refusedUntil: until });
  settings.siteId = 'stadium';
  expect(health()).not.toHaveProperty('ahead');
});

it.each(['since its last scan', 'since the start'])(
  'says of a folder that was silent too long %s that exports may go unnoticed, until it proves its life',
  async (since) => {
    const { clock, state, root } = createDesk();
    if (since === 'since its last scan') state.lastScanAt = clock.now();
    const silentFrom = `${new Date(clock.now()).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
    await clock.advance(10 * MINUTE_MS);
    expect(root()?.failure).toBeUndefined();
    await clock.advance(1);
    expect(root()).toMatchObject({
      isOnline: true,
      failure: { code: 'ROOT_SILENT', message: expect.stringContaining(silentFrom) },
    });
    state.lastScanAt = clock.now();
    expect(root()?.failure).toBeUndefined();
  },
);
