import { contextBridge, ipcRenderer, webUtils } from 'electron';
import { channels } from '../shared/ipc/channels.ts';
import type { DesktopApi } from '../shared/ipc/desktop.ts';

/** Events that wait until the page listens: a deep link or a drop that started the app comes before its first script. */
const MOST_WAITING = 100;

/** What the main process tells on one channel, without anything of Electron's around it. */
function createSubscription(channel: string, keepsFirst: boolean) {
  const listeners = new Set<(message: unknown) => void>();
  let waiting: readonly unknown[] = [];
  ipcRenderer.on(channel, (_event, message: unknown) => {
    for (const listener of listeners) listener(message);
    if (listeners.size === 0 && keepsFirst) waiting = [...waiting, message].slice(-MOST_WAITING);
  });
  return (listener: (message: unknown) => void): (() => void) => {
    // A function of its own for each: the same one given twice is heard twice and taken back once
    const entry = (message: unknown): void => listener(message);
    listeners.add(entry);
    const first = waiting;
    waiting = [];
    for (const message of first) entry(message);
    return () => void listeners.delete(entry);
  };
}

/** By its tag: the page's `File` and the one of this script are two classes. */
const isFile = (thing: object): thing is File => Object.prototype.toString.call(thing) === '[object File]';

function pathOf(file: object): readonly string[] {
  if (!isFile(file)) return [];
  const path = webUtils.getPathForFile(file);
  return path === '' ? [] : [path];
}

const desktop: DesktopApi = {
  call: (request) => ipcRenderer.invoke(channels.call, request),
  order: (request) => ipcRenderer.invoke(channels.order, request),
  onSignal: createSubscription(channels.signal, false),
  onEvent: createSubscription(channels.event, true),
  pathsOf: (files) => files.flatMap(pathOf),
};

contextBridge.exposeInMainWorld('desktop', desktop);
