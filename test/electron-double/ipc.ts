import { EventEmitter } from 'node:events';
import { strict } from './strict.ts';

type Handler = Parameters<Electron.IpcMain['handle']>[1];

/** The main process's end of the channels. */
export interface DoubleIpc {
  readonly ipcMain: Electron.IpcMain;
  /** Handles a message of a page. Rejects with the error that the page gets. */
  invoke(
    sender: Electron.WebContents,
    frame: Electron.WebFrameMain | null,
    channel: string,
    args: readonly unknown[],
  ): Promise<unknown>;
  send(
    sender: Electron.WebContents,
    frame: Electron.WebFrameMain | null,
    channel: string,
    args: readonly unknown[],
  ): void;
}

export function createIpc(): DoubleIpc {
  const handlers = new Map<string, Handler>();
  const events = new EventEmitter();
  const eventOf = (sender: Electron.WebContents, senderFrame: Electron.WebFrameMain | null) =>
    strict<Electron.IpcMainInvokeEvent & Electron.IpcMainEvent>('event', {
      sender,
      senderFrame,
      frameId: 1,
      processId: 1,
      type: 'frame',
    });
  const handle: Electron.IpcMain['handle'] = (channel, handler) => {
    if (handlers.has(channel)) throw new Error(`Attempted to register a second handler for '${channel}'`);
    handlers.set(channel, handler);
  };
  return {
    ipcMain: strict<Electron.IpcMain>(
      'ipcMain',
      { handle, removeHandler: (channel) => void handlers.delete(channel) },
      events,
    ),
    async invoke(sender, frame, channel, args) {
      const handler = handlers.get(channel);
      if (handler === undefined)
        throw new Error(
          `Error invoking remote method '${channel}': Error: No handler registered for '${channel}'`,
        );
      try {
        return await (handler(eventOf(sender, frame), ...args) as unknown);
      } catch (error) {
        throw new Error(`Error invoking remote method '${channel}': ${String(error)}`, { cause: error });
      }
    },
    send: (sender, frame, channel, args) => void events.emit(channel, eventOf(sender, frame), ...args),
  };
}
