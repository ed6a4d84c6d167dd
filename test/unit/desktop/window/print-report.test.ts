import { EventEmitter } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { createReportPrinter } from '../../../../electron/desktop/window/print-report.ts';
import { collectLog } from '../../../helpers/desk-tools.ts';
import { createFakeClock } from '../../../helpers/fake-clock.ts';

/** A window that loads nothing; the test plays the part of its page. */
class FakeWindow {
  readonly webContents = Object.assign(new EventEmitter(), {
    printToPDF: (): Promise<Buffer> => this.print(),
  });
  isOpen = true;
  private readonly print: () => Promise<Buffer>;
  constructor(print: () => Promise<Buffer>) {
    this.print = print;
  }
  loadURL = async (): Promise<void> => undefined;
  isDestroyed = (): boolean => !this.isOpen;
  destroy(): void {
    this.isOpen = false;
  }
}

async function bench(print: () => Promise<Buffer> = async () => Buffer.from('%PDF-')) {
  const pack = await mkdtemp(join(tmpdir(), 'report-'));
  onTestFinished(() => rm(pack, { recursive: true }));
  await mkdir(join(pack, 'pictures'));
  for (const name of ['report.html', 'manifest.json', 'pictures/00001.jpg', 'pictures/list.txt'])
    await writeFile(join(pack, name), name);
  const clock = createFakeClock();
  const { logger, lines } = collectLog();
  const windows: FakeWindow[] = [];
  const guards: string[] = [];
  let handle: ((request: Request) => Promise<Response>) | undefined;
  const session = new Proxy(
    {
      webRequest: { onBeforeRequest: () => guards.push('requests') },
      protocol: { handle: (_scheme: string, handler: typeof handle) => (handle = handler) },
    },
    { get: (own, name) => Reflect.get(own, name) ?? (() => guards.push(String(name))) },
  );
  const printReport = createReportPrinter({
    electron: { session: { fromPartition: () => session } } as never,
    openWindow: (() => {
      const window = new FakeWindow(print);
      windows.push(window);
      return window;
    }) as never,
    isPackaged: true,
    clock,
    logger,
  });
  const ask = async (path: string): Promise<readonly [number, string]> => {
    const answer = await handle?.({ url: `app://desk${path}` } as Request);
    return [answer?.status ?? 0, (await answer?.text()) ?? ''];
  };
  return { print: () => printReport(join(pack, 'report.html')), ask, clock, lines, windows, guards };
}

it('prints the report in a guarded window that is gone afterwards', async () => {
  const { print, windows, guards } = await bench();
  expect(String(await print())).toBe('%PDF-');
  expect(windows.map(({ isOpen }) => isOpen)).toEqual([false]);
  expect(guards).toContain('requests');
  expect(guards).toContain('setPermissionRequestHandler');
});

it('shows the page the report and its pictures, and nothing else of the disk', async () => {
  const { print, ask } = await bench();
  await print();
  expect(await ask('/report.html')).toEqual([200, 'report.html']);
  expect(await ask('/pictures/00001.jpg')).toEqual([200, 'pictures/00001.jpg']);
  for (const path of [
    '/manifest.json',
    '/pictures/list.txt',
    '/pictures/00002.jpg',
    '/pictures/../manifest.json',
    '/pictures/..%2fmanifest.json',
    '/report.html?x',
    '//etc/passwd',
  ])
    expect(await ask(path), path).toEqual([404, '']);
});

it('says that there is no PDF when printing fails, its page ends or it hangs', async () => {
  const failing = await bench(() => Promise.reject(new Error('no printer')));
  expect(await failing.print()).toBeUndefined();
  const never = new Promise<Buffer>(() => undefined);
  const crashing = await bench(() => never);
  const crashed = crashing.print();
  await expect.poll(() => crashing.windows).toHaveLength(1);
  crashing.windows[0]?.webContents.emit('render-process-gone');
  expect(await crashed).toBeUndefined();
  const hanging = await bench(() => never);
  const late = hanging.print();
  await expect.poll(() => hanging.windows).toHaveLength(1);
  await hanging.clock.advance(120_000);
  expect(await late).toBeUndefined();
  for (const { lines, windows } of [failing, crashing, hanging]) {
    expect(lines).toHaveLength(1);
    expect(windows.map(({ isOpen }) => isOpen)).toEqual([false]);
  }
});
