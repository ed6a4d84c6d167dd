import { access, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { QuitProtocol } from '../../../../electron/desktop/quitting/quit-app.ts';
import { createUpdates, type Updater } from '../../../../electron/desktop/updates/updates.ts';
import type { UpdateRules } from '../../../../electron/desktop/updates/verify-update.ts';
import type { UpdateState } from '../../../../shared/ipc/desktop.ts';
import { collectLog, makeFolder } from '../../../helpers/desk-tools.ts';
import { createFakeClock } from '../../../helpers/fake-clock.ts';
import { createMaker } from '../../../helpers/signed-release.ts';

interface Script {
  /** The version that the feed offers; undefined: nothing newer. */
  readonly offered?: string;
  readonly signed?: string;
  readonly content?: string;
  /** Percentage of desks that get the release. */
  readonly share?: number;
  readonly rules?: UpdateRules;
  readonly quit?: QuitProtocol['quit'];
  readonly installsAtQuit?: boolean;
}

async function openDesk({
  offered = '1.1.0',
  signed = '1.1.0',
  content = 'program',
  share,
  rules,
  quit,
  installsAtQuit = true,
}: Script = {}) {
  const file = join(await makeFolder(), 'setup.exe');
  const maker = createMaker();
  const steps: string[] = [];
  const states: UpdateState[] = [];
  const feed: {
    offered: string | undefined;
    share: number | undefined;
    isReachable: boolean;
    isSilent: boolean;
  } = {
    offered,
    share,
    isReachable: true,
    isSilent: false,
  };
  const gaveUp = Promise.withResolvers<void>();
  const updater: Updater = {
    async look() {
      steps.push('look');
      if (!feed.isReachable) throw new Error('offline');
      return feed.offered;
    },
    manifest: async () => JSON.stringify(maker.release(signed, { 'setup.exe': 'program' }, feed.share)),
    async load(heard) {
      steps.push('load');
      heard();
      if (feed.isSilent) await gaveUp.promise;
      // Like the real updater, takes an existing file for the download
      await access(file).catch(() => writeFile(file, content));
      return file;
    },
    async giveUp() {
      steps.push('give up');
      gaveUp.reject(new Error('aborted'));
    },
    install: async (_update, comesBack) => void steps.push(comesBack ? 'install' : 'install and stay away'),
  };
  const clock = createFakeClock();
  const updates = createUpdates({
    rules: rules ?? {
      kind: 'on',
      feedUrl: 'https://u.example/',
      channel: 'latest',
      publicKey: maker.publicKey,
    },
    async openUpdater() {
      steps.push('open');
      return updater;
    },
    installedVersion: '1.0.0',
    deskId: async () => 'desk-1',
    installsAtQuit,
    quit: { quit: quit ?? (async (_cause, last) => last?.()) },
    onState: (state) => void states.push(state),
    clock,
    logger: collectLog().logger,
  });
  return { file, steps, states, feed, clock, updates };
}

describe('updates', () => {
  it('are loaded, checked, and only then ready', async () => {
    const desk = await openDesk();
    expect(desk.updates.state()).toEqual({ kind: 'current' });
    expect(await desk.updates.check()).toEqual({ kind: 'ready', version: '1.1.0' });
    expect(desk.states).toEqual([
      { kind: 'loading', version: '1.1.0' },
      { kind: 'ready', version: '1.1.0' },
    ]);
    expect(await desk.updates.install()).toEqual({ ok: true, value: undefined });
    expect(desk.steps).toEqual(['open', 'look', 'load', 'install']);
  });

  it('are not loaded while the release is for other desks, which is said, and are when it is for this one too', async () => {
    const desk = await openDesk({ share: 0 });
    expect(await desk.updates.check()).toEqual({ kind: 'held', version: '1.1.0', share: 0 });
    expect(await desk.updates.install()).toMatchObject({ ok: false, error: { code: 'NOT_FOUND' } });
    expect(desk.steps).toEqual(['open', 'look']);
    desk.feed.share = 100;
    expect(await desk.updates.check()).toEqual({ kind: 'ready', version: '1.1.0' });
  });

  it('say when they looked and found nothing', async () => {
    const desk = await openDesk();
    desk.feed.offered = undefined;
    expect(await desk.updates.check()).toEqual({ kind: 'current', checkedAt: '2026-01-15T12:00:00.000Z' });
    expect(await desk.updates.install()).toMatchObject({ ok: false, error: { code: 'NOT_FOUND' } });
  });

  it.each([
    ['an old version under a new name', { offered: '2.0.0', signed: '1.0.0' }, 'not newer'],
    [
      'another version than was offered',
      { offered: '2.0.0', signed: '1.1.0' },
      'does not match its signed manifest',
    ],
    ['another file', { content: 'evil!!!' }, 'file does not match'],
    ['half a file', { content: 'prog' }, 'size'],
  ])('refuse %s, and install nothing', async (_name, script, reason) => {
    const desk = await openDesk(script);
    expect(await desk.updates.check()).toEqual({ kind: 'failed', reason: expect.stringContaining(reason) });
    expect(await desk.updates.install()).toMatchObject({ ok: false });
    expect(desk.steps).not.toContain('install');
  });

  it('load nothing before the list is checked', async () => {
    const desk = await openDesk({ offered: '2.0.0', signed: '1.0.0' });
    await desk.updates.check();
    expect(desk.steps).toEqual(['open', 'look']);
  });

  it('refuse a file that was changed since it was checked', async () => {
    const desk = await openDesk();
    await desk.updates.check();
    await writeFile(desk.file, 'evil!!!');
    expect(await desk.updates.install()).toMatchObject({ ok: false, error: { code: 'CALL_FAULT' } });
    expect(desk.updates.state()).toMatchObject({ kind: 'failed' });
    expect(desk.steps).not.toContain('install');
    // And does not take the file for a download
    expect(await desk.updates.check()).toMatchObject({ kind: 'ready' });
  });

  it('install nothing when a person goes on working', async () => {
    const desk = await openDesk({ quit: async () => undefined });
    await desk.updates.check();
    expect(await desk.updates.install()).toEqual({ ok: true, value: undefined });
    expect(desk.steps).not.toContain('install');
    expect(desk.updates.state()).toEqual({ kind: 'ready', version: '1.1.0' });
  });

  it('are installed when a person quits, where no password is asked for, after one more look at the file', async () => {
    const desk = await openDesk();
    expect(desk.updates.lastStep()).toBeUndefined();
    await desk.updates.check();
    await desk.updates.lastStep()?.();
    expect(desk.steps.at(-1)).toBe('install and stay away');
    const step = desk.updates.lastStep();
    await writeFile(desk.file, 'evil!!!');
    await expect(step?.()).rejects.toThrow('no longer ready');
    expect(desk.steps.filter((each) => each.startsWith('install'))).toHaveLength(1);

    const other = await openDesk({ installsAtQuit: false });
    await other.updates.check();
    expect(other.updates.lastStep()).toBeUndefined();
  });

  it('look at the file once more after a person was asked, however long that took', async () => {
    const changed = await openDesk({
      quit: async (_cause, last) => (await writeFile(changed.file, 'evil!!!'), last?.()),
    });
    await changed.updates.check();
    await expect(changed.updates.install()).rejects.toThrow('no longer ready');
    expect(changed.steps).not.toContain('install');
    const replaced = await openDesk({
      quit: async (_cause, last) => (await replaced.updates.check(), last?.()),
    });
    await replaced.updates.check();
    replaced.feed.offered = undefined;
    await expect(replaced.updates.install()).rejects.toThrow('no longer ready');
    expect(replaced.steps).not.toContain('install');
  });

  it('install nothing that the feed has taken back', async () => {
    const desk = await openDesk();
    await desk.updates.check();
    desk.feed.offered = undefined;
    expect(await desk.updates.check()).toMatchObject({ kind: 'current' });
    expect(desk.updates.lastStep()).toBeUndefined();
  });

  it('give a feed up that falls silent, and look again later', async () => {
    const desk = await openDesk();
    desk.feed.isSilent = true;
    const looking = desk.updates.check();
    await expect.poll(() => desk.steps).toContain('load');
    await desk.clock.advance(119_000);
    expect(desk.steps).not.toContain('give up');
    await desk.clock.advance(1_000);
    expect(await looking).toMatchObject({ kind: 'failed' });
    expect(desk.steps).toContain('give up');
    desk.feed.isSilent = false;
    expect(await desk.updates.check()).toEqual({ kind: 'ready', version: '1.1.0' });
    expect(desk.clock.sleepers()).toBe(0);
  });

  it('touch nothing where they are off', async () => {
    const off = { kind: 'off', reason: 'By policy.' } as const;
    const desk = await openDesk({ rules: off });
    desk.updates.start();
    expect(await desk.updates.check()).toEqual(off);
    expect(await desk.updates.install()).toMatchObject({ ok: false, error: { advice: 'By policy.' } });
    expect(desk.steps).toEqual([]);
    expect(desk.clock.sleepers()).toBe(0);
  });

  it('are looked for by themselves: a minute after the start, then every six hours', async () => {
    const desk = await openDesk();
    desk.feed.offered = undefined;
    desk.updates.start();
    await desk.clock.untilAsleep();
    await desk.clock.advance(59_000);
    expect(desk.steps).toEqual([]);
    await desk.clock.advance(1_000);
    await expect.poll(() => desk.steps).toEqual(['open', 'look']);
    await desk.clock.untilAsleep();
    await desk.clock.advance(7 * 3_600_000);
    await expect.poll(() => desk.steps).toEqual(['open', 'look', 'look']);
    desk.updates.stop();
    await expect.poll(() => desk.clock.sleepers()).toBe(0);
  });

  it('say that the feed is out of reach, and keep what was ready', async () => {
    const desk = await openDesk();
    desk.feed.isReachable = false;
    expect(await desk.updates.check()).toMatchObject({ kind: 'failed' });
    desk.feed.isReachable = true;
    await desk.updates.check();
    desk.feed.isReachable = false;
    expect(await desk.updates.check()).toEqual({ kind: 'ready', version: '1.1.0' });
  });

  it('are not loaded twice', async () => {
    const desk = await openDesk();
    await Promise.all([desk.updates.check(), desk.updates.check()]);
    await desk.updates.check();
    expect(desk.steps).toEqual(['open', 'look', 'load', 'look']);
  });
});
