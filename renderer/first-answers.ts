import { createDesktopBridge, pageClock } from './bridge/bridge.ts';
import { createConsoleBridge } from './bridge/console-bridge.ts';
import { outlineOf, PAGE_ROWS, uploadsSearchSchema } from './features/uploads/uploads-search.ts';

/**
 * A script of its own that runs while the others are still being read (vite.config.ts). It asks for the first rows, so
 * that the app is drawn with them at once; until it listens, the agent sends nothing else.
 */
export const bridge =
  window.desktop === undefined
    ? createConsoleBridge(pageClock)
    : createDesktopBridge(window.desktop, pageClock);

/** What the list of uploads asks for first; undefined where another screen is opened. */
export const firstRows = askForRows(location.hash);

// A browser takes 15 ms for the first use: better now than when the rows are drawn
new Intl.DateTimeFormat().format(0);

function askForRows(hash: string) {
  const [path, search = ''] = hash.slice(1).split('?', 2);
  if (path !== '' && path !== '/' && path !== '/uploads') return undefined;
  const query = outlineOf(uploadsSearchSchema.parse(readSearch(search)));
  return {
    queryKey: ['uploads.list', query, 0],
    answer: bridge.caller.call('uploads.list', { ...query, offset: 0, limit: PAGE_ROWS }),
  };
}

/** As the router reads it. If it differed, these would be the rows of another list, and not be shown. */
function readSearch(search: string): Readonly<Record<string, unknown>> {
  return Object.fromEntries([...new URLSearchParams(search)].map(([name, text]) => [name, readValue(text)]));
}

function readValue(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
