import { EventEmitter } from 'node:events';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import type { DesktopApi } from '../../../shared/ipc/desktop.ts';

const electron = vi.hoisted(() => ({
  exposed: new Map<string, unknown>(),
  invoked: [] as unknown[],
  heard: new Map<string, (event: unknown, message: unknown) => void>(),
}));
vi.mock('electron', () => ({
  contextBridge: { exposeInMainWorld: (name: string, api: unknown) => electron.exposed.set(name, api) },
  ipcRenderer: {
    async invoke(...args: unknown[]) {
      electron.invoked.push(args);
      return 'reply';
    },
    on: (channel: string, listener: (event: unknown, message: unknown) => void) =>
      electron.heard.set(channel, listener),
  },
  webUtils: {
    getPathForFile: (file: File) => (file.name === 'made by script' ? '' : `/exports/${file.name}`),
  },
}));

/** An event of Electron, which must not reach the page. */
const event = Object.assign(new EventEmitter(), { sender: 'ipcRenderer' });
let desktop: DesktopApi;
const tell = (channel: string, message: unknown): void => electron.heard.get(channel)?.(event, message);

beforeAll(async () => {
  await import('../../../electron/preload.ts');
  desktop = electron.exposed.get('desktop') as DesktopApi;
});

describe('what the page gets of the main process', () => {
  it('checklist 9: is five functions under one name', () => {
    expect([...electron.exposed.keys()]).toEqual(['desktop']);
    expect(Object.entries(desktop).map(([name, value]) => [name, typeof value])).toEqual([
      ['call', 'function'],
      ['order', 'function'],
      ['onSignal', 'function'],
      ['onEvent', 'function'],
      ['pathsOf', 'function'],
    ]);
  });

  it('sends on two channels, one message each', async () => {
    const sendMany: (...args: unknown[]) => Promise<unknown> = desktop.call;
    expect(await sendMany({ call: 'a' }, 'more')).toBe('reply');
    await desktop.order({ call: 'b' });
    expect(electron.invoked).toEqual([
      ['agent:call', { call: 'a' }],
      ['desktop:order', { call: 'b' }],
    ]);
  });

  it('hears on two channels, and only what was told', () => {
    expect([...electron.heard.keys()].toSorted()).toEqual(['agent:signal', 'desktop:event']);
    const told: unknown[][] = [];
    const stop = desktop.onSignal((...args: unknown[]) => void told.push(args));
    tell('agent:signal', { kind: 'changed' });
    stop();
    tell('agent:signal', { kind: 'progress' });
    expect(told).toEqual([[{ kind: 'changed' }]]);
  });

  it('keeps events for the first who listens, and signals for nobody', () => {
    tell('desktop:event', 1);
    tell('desktop:event', 2);
    tell('agent:signal', 3);
    const told: unknown[] = [];
    const stops = [desktop.onEvent((each) => told.push(each)), desktop.onSignal((each) => told.push(each))];
    tell('desktop:event', 4);
    expect(told).toEqual([1, 2, 4]);
    for (const stop of stops) stop();
  });

  it('takes a listener that is given twice off one by one', () => {
    const told: unknown[] = [];
    const listener = (each: unknown): void => void told.push(each);
    const stops = [desktop.onSignal(listener), desktop.onSignal(listener)];
    tell('agent:signal', 'a');
    stops[0]?.();
    tell('agent:signal', 'b');
    stops[1]?.();
    tell('agent:signal', 'c');
    expect(told).toEqual(['a', 'a', 'b']);
  });

  it('knows the paths of dropped files, and of nothing else', () => {
    const files = [new File([], 'a'), { name: 'b' }, new File([], 'made by script'), new File([], 'c')];
    expect(desktop.pathsOf(files)).toEqual(['/exports/a', '/exports/c']);
  });
});
