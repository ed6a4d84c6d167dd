import type { WebContents } from 'electron/main';

/** A page of the window from its first script to its end: reloaded, crashed or closed. */
export interface PageLife {
  /** Aborted when the page is gone. */
  readonly gone: AbortSignal;
}

/** What happens to the page of one window. */
export interface PageListener {
  /** A new document is there; its scripts have not run yet. */
  onBegin(page: PageLife): void;
  /** Its document stands: what it is told now it hears. */
  onReady(page: PageLife): void;
}

/** Follows the pages of a window's contents, one after the other. */
export function followPages(contents: Pick<WebContents, 'on' | 'once'>, listener: PageListener): void {
  let ending: AbortController | undefined;

  function end(reason: string): void {
    ending?.abort(new Error(reason));
    ending = undefined;
  }

  contents.on('did-navigate', () => {
    end('The page was loaded again');
    ending = new AbortController();
    listener.onBegin({ gone: ending.signal });
  });
  contents.on('dom-ready', () => {
    if (ending !== undefined) listener.onReady({ gone: ending.signal });
  });
  contents.on('render-process-gone', () => end('The page crashed'));
  contents.once('destroyed', () => end('The window was closed'));
}
