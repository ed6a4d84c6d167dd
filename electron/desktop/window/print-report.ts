import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Clock, Logger } from '../../agent/index.ts';
import type { ElectronApi } from '../electron-api.ts';
import { APP_ORIGIN, APP_SCHEME } from '../security/app-protocol.ts';
import { guardSession } from '../security/guards.ts';
import type { OpenWindow } from './open-window.ts';

/** A session in memory that no other window shares. */
const PARTITION = 'report';
/**
 * Time limit of a print, milliseconds. A report of 200 clips takes some seconds; a hung print must not block the pack
 * forever.
 */
const PRINT_MS = 120_000;

const REPORT = '/report.html';
/** A picture in the pack, by the name that the report gives it. */
const PICTURE = /^\/pictures\/\d{1,9}\.(png|jpg|gif|webp)$/;
const pictureTypes: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
};
/** The names in a report come from outside: it may run nothing, and load only its pictures. */
const headers = {
  'content-security-policy': "default-src 'none'; img-src 'self'; style-src 'unsafe-inline'",
  'x-content-type-options': 'nosniff',
};

interface Deps {
  readonly electron: Pick<ElectronApi, 'session'>;
  readonly openWindow: OpenWindow;
  readonly isPackaged: boolean;
  readonly clock: Pick<Clock, 'sleep'>;
  readonly logger: Logger;
}

/**
 * Prints a report with its pictures, reading only the folder of the file. Returns undefined if it could not be printed.
 */
type PrintReport = (htmlFile: string) => Promise<Uint8Array | undefined>;

/**
 * Creates the printer of the reports of custody packs. Each is printed in its own hidden window, one after the other.
 */
export function createReportPrinter({ electron, openWindow, isPackaged, clock, logger }: Deps): PrintReport {
  let folder = '';
  let isGuarded = false;
  let last: Promise<unknown> = Promise.resolve();

  /** Runs once: a session lives as long as the program. */
  function guard(): void {
    if (isGuarded) return;
    isGuarded = true;
    const session = electron.session.fromPartition(PARTITION);
    guardSession(session, { isPackaged, logger });
    session.protocol.handle(APP_SCHEME, ({ url }) => answer(folder, url));
  }

  async function print(htmlFile: string): Promise<Uint8Array | undefined> {
    guard();
    folder = dirname(htmlFile);
    const window = openWindow(
      { show: false, width: 800, height: 1000, skipTaskbar: true },
      { partition: PARTITION },
    );
    const over = new AbortController();
    const late = clock.sleep(PRINT_MS, over.signal).then(() => {
      throw new Error('Printing took too long');
    });
    late.catch(() => undefined);
    const gone = new Promise<never>((_resolve, reject) => {
      window.webContents.once('render-process-gone', () => reject(new Error('The report page crashed')));
    });
    gone.catch(() => undefined);
    const printed = window.loadURL(`${APP_ORIGIN}${REPORT}`).then(() =>
      // The page itself sets its size and margins
      window.webContents.printToPDF({
        preferCSSPageSize: true,
        printBackground: true,
        generateTaggedPDF: true,
      }),
    );
    try {
      return await Promise.race([printed, late, gone]);
    } catch (error) {
      logger.warn('The report of a custody pack could not be printed; report.html has the same content', {
        error,
      });
      return undefined;
    } finally {
      over.abort();
      if (!window.isDestroyed()) window.destroy();
    }
  }

  return (htmlFile) => {
    const mine = last.then(() => print(htmlFile));
    last = mine.catch(() => undefined);
    return mine;
  };
}

async function answer(folder: string, url: string): Promise<Response> {
  const path = url.startsWith(`${APP_ORIGIN}/`) ? url.slice(APP_ORIGIN.length) : '';
  const ending = PICTURE.exec(path)?.[1];
  const type = path === REPORT ? 'text/html; charset=utf-8' : ending && pictureTypes[ending];
  const bytes = type && (await readFile(join(folder, path)).catch(() => undefined));
  if (!type || !bytes) return new Response(null, { status: 404, headers });
  return new Response(Uint8Array.from(bytes), { headers: { ...headers, 'content-type': type } });
}
