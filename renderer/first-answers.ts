import { createDesktopBridge, pageClock } from './bridge/bridge.ts';
import { createConsoleBridge } from './bridge/console-bridge.ts';
import { outlineOf, PAGE_ROWS, uploadsSearchSchema } from './features/uploads/uploads-search.ts';

/**
 * A separate script that runs while the others are still loading (vite.config.ts). It requests the first rows, so that
 * the first render already has them. The agent sends no signals until the page listens for them.
 */
export const bridge =
  window.desktop === undefined
    ? createConsoleBridge(pageClock)
    : createDesktopBridge(window.desktop, pageClock);

/** The first page of the list of uploads; undefined when another screen is opened. */
export const firstRows = askForRows(location.hash);

// The first use takes a browser 15 ms: better now than when the rows are rendered
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

/**
 * Parses the search parameters as the router does. If the results differed, the rows would belong to another list and
 * not be shown.
 */
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
