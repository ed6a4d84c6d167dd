import { contextBridge, ipcRenderer, webUtils } from 'electron';
import { channels } from '../shared/ipc/channels.ts';
import type { DesktopApi } from '../shared/ipc/desktop.ts';

/**
 * Most events kept until the page listens: a deep link or drop that starts the app arrives before the page's first
 * script.
 */
const MOST_WAITING = 100;

/** Subscribes to the main process's messages on one channel, without exposing anything of Electron. */
function createSubscription(channel: string, keepsFirst: boolean) {
  const listeners = new Set<(message: unknown) => void>();
  let waiting: readonly unknown[] = [];
  ipcRenderer.on(channel, (_event, message: unknown) => {
    for (const listener of listeners) listener(message);
    if (listeners.size === 0 && keepsFirst) waiting = [...waiting, message].slice(-MOST_WAITING);
  });
  return (listener: (message: unknown) => void): (() => void) => {
    // A separate function per subscription: a listener added twice is called twice and removed one at a time
    const entry = (message: unknown): void => listener(message);
    listeners.add(entry);
    const first = waiting;
    waiting = [];
    for (const message of first) entry(message);
    return () => void listeners.delete(entry);
  };
}

/** Checked by its tag: the page and this script have different `File` classes. */
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
