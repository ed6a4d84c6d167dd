import type { IpcMainInvokeEvent, WebContents } from 'electron/main';
import { APP_ORIGIN, isOwnAddress } from './app-scheme.ts';

/** Who sent a message, as Electron tells. */
export interface SenderFacts {
  /** False for any window but the app's one. */
  readonly isOwnWindow: boolean;
  readonly isMainFrame: boolean;
  /** The frame went away or elsewhere since it sent the message. */
  readonly isGone: boolean;
  readonly url: string;
  readonly origin: string;
}

/** Whether a message is to be listened to: from the main frame of our own window, showing a page of ours. */
export function isOwnSender(facts: SenderFacts): boolean {
  const { isOwnWindow, isMainFrame, isGone, url, origin } = facts;
  return isOwnWindow && isMainFrame && !isGone && origin === APP_ORIGIN && isOwnAddress(url);
}

/** The sender of a message, compared with the contents of our window. */
export function readSender(
  { sender, senderFrame: frame }: Pick<IpcMainInvokeEvent, 'sender' | 'senderFrame'>,
  own: WebContents | undefined,
): SenderFacts {
  const isOwnWindow = own !== undefined && sender === own;
  if (frame === null || frame.isDestroyed() || frame.detached)
    return { isOwnWindow, isMainFrame: false, isGone: true, url: '', origin: '' };
  const isMainFrame = frame.parent === null && frame === sender.mainFrame;
  return { isOwnWindow, isMainFrame, isGone: false, url: frame.url, origin: frame.origin };
}
