import { EventEmitter } from 'node:events';
import { describe, expect, it } from 'vitest';
import { createFakeClock } from '../../../helpers/fake-clock.ts';
import type { AgentSignal } from '../../../../shared/ipc/events.ts';
import type { Question } from '../../../../electron/desktop/window/native-dialogs.ts';
import { createMainWindow } from '../../../../electron/desktop/window/main-window.ts';
import { recoverCrashedPage } from '../../../../electron/desktop/process-faults.ts';
import { say } from '../../../helpers/desk-tools.ts';

const silent = (): void => undefined;
const logger = { debug: silent, info: silent, warn: silent, error: silent };
const signal: AgentSignal = { kind: 'changed', subject: 'uploads', version: 1 };
const settle = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

/** Page contents that record their calls and emit what the test chooses. */
class FakeContents extends EventEmitter {
  readonly sent: (readonly [string, unknown])[] = [];
  reloads = 0;
  crashes = 0;
  send(channel: string, message: unknown): void {
    this.sent.push([channel, message]);
  }
  reload(): void {
    this.reloads += 1;
  }
  forcefullyCrashRenderer(): void {
    this.crashes += 1;
  }
  /** Loads the page: its document begins, then is ready. */
  load(): void {
    this.emit('did-navigate');
    this.emit('dom-ready');
  }
}
class FakeWindow extends EventEmitter {
  readonly webContents = new FakeContents();
  readonly done: string[] = [];
  isShown = false;
  url = '';
  readonly options: Readonly<Record<string, unknown>>;
  constructor(options: Readonly<Record<string, unknown>>) {
    super();
    this.options = options;
  }
  async loadURL(url: string): Promise<void> {
    this.url = url;
  }
  show(): void {
    this.isShown = true;
    this.emit('show');
  }
  hide(): void {
    this.isShown = false;
  }
  focus(): void {
    this.done.push('focus');
  }
  blur(): void {
    this.done.push('rescue');
  }
  maximize(): void {
    this.done.push('maximize');
  }
  isVisible = (): boolean => this.isShown;
  isFocused = (): boolean => this.isShown;
  isMinimized = (): boolean => false;
  isDestroyed = (): boolean => false;
  close(): void {
    this.webContents.emit('destroyed');
    this.emit('closed');
  }
}

function createDesk(answers: readonly number[] = []) {
  const windows: FakeWindow[] = [];
  const asked: Question[] = [];
  const listeners = new Set<(told: AgentSignal) => void>();
  const clock = createFakeClock();
  const quits: string[] = [];
  const left = [...answers];
  const window = createMainWindow({
    electron: { nativeTheme: { shouldUseDarkColors: true } } as never,
    openWindow: (looks) => {
      const made = new FakeWindow({ ...looks });
      windows.push(made);
      return made as never;
    },
    place: {
      rescue: (shown) => shown.blur(),
      read: async () => ({ bounds: { x: 10, y: 20, width: 900, height: 600 }, isMaximised: true }),
    },
    logger,
  });
  window.onOpened((opened) =>
    recoverCrashedPage(opened, {
      say,
      dialogs: {
        async ask(question) {
          asked.push(question);
          return left.shift() ?? 0;
        },
      },
      clock,
      logger,
      crashes: { count: () => undefined },
      onGiveUp: () => void quits.push('quit'),
    }),
  );
  window.sendSignals((listener) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  });
  return { window, windows, asked, listeners, clock, quits };
}

async function openDesk(answers: readonly number[] = []) {
  const desk = createDesk(answers);
  await desk.window.open({ isHidden: false });
  const [first] = desk.windows;
  if (first === undefined) throw new Error('No window was made');
  return { ...desk, first, contents: first.webContents };
}

describe("the app's window", () => {
  it('opens on the first page where it was, dark in a dark room, and shows itself when it is painted', async () => {
    const { first } = await openDesk();
    expect(first.url).toBe('app://desk/');
    expect(first.options).toMatchObject({
      x: 10,
      width: 900,
      minWidth: 720,
      show: false,
      backgroundColor: '#14181d',
    });
    expect(first.isShown).toBe(false);
    first.emit('ready-to-show');
    expect([first.isShown, first.done]).toEqual([true, ['maximize']]);
  });

  it('opened hidden stays so until it is wanted', async () => {
    const { window, windows } = createDesk();
    await window.open({ isHidden: true });
    windows[0]?.emit('ready-to-show');
    expect(windows[0]?.isShown).toBe(false);
    window.bringToFront();
    expect(windows[0]?.isShown).toBe(true);
    // The screen where it was may be gone
    expect(windows[0]?.done).toEqual(['rescue', 'maximize', 'focus']);
  });

  it('wanted before the app is ready waits for it, and is one window however often it is wanted', async () => {
    const { window, windows } = createDesk();
    window.bringToFront();
    await settle();
    expect(windows).toHaveLength(0);
    await Promise.all([window.open({ isHidden: true }), window.open({ isHidden: true })]);
    windows[0]?.emit('ready-to-show');
    expect([windows.length, windows[0]?.isShown]).toEqual([1, true]);
  });

  it('is recreated when it was closed', async () => {
    const { window, windows, first } = await openDesk();
    first.close();
    expect(window.contents()).toBeUndefined();
    window.bringToFront();
    await settle();
    expect(windows).toHaveLength(2);
  });

  it('hears the agent only while it has a page', async () => {
    const { window, listeners, contents, first } = await openDesk();
    expect([listeners.size, window.gone().aborted]).toEqual([0, true]);
    contents.load();
    for (const tell of listeners) tell(signal);
    expect(contents.sent).toEqual([['agent:signal', signal]]);
    expect(window.gone().aborted).toBe(false);
    first.close();
    expect([listeners.size, window.gone().aborted]).toEqual([0, true]);
  });

  it('breaks off what a page asked when it is loaded again or crashes', async () => {
    const { window, contents, listeners } = await openDesk();
    contents.load();
    const before = window.gone();
    contents.load();
    expect([before.aborted, window.gone().aborted, listeners.size]).toEqual([true, false, 1]);
    contents.emit('render-process-gone', {}, { reason: 'crashed', exitCode: 1 });
    expect([window.gone().aborted, listeners.size]).toEqual([true, 0]);
  });

  it('keeps events for a page that is not there yet', async () => {
    const { window, contents } = await openDesk();
    window.tell({ kind: 'showIncident', incidentId: 'i1' });
    contents.emit('did-navigate');
    expect(contents.sent).toEqual([]);
    contents.emit('dom-ready');
    window.tell({ kind: 'command', id: 'go.users' });
    expect(contents.sent).toEqual([
      ['desktop:event', { kind: 'showIncident', incidentId: 'i1' }],
      ['desktop:event', { kind: 'command', id: 'go.users' }],
    ]);
  });
});

describe('a page that crashes', () => {
  const crash = async (contents: FakeContents, reason = 'crashed'): Promise<void> => {
    contents.emit('render-process-gone', {}, { reason, exitCode: 1 });
    await settle();
  };

  it('fault 9: is loaded again, five times in ten minutes; then a person decides', async () => {
    const { contents, asked, quits } = await openDesk([1]);
    for (let count = 0; count < 5; count += 1) await crash(contents);
    expect([contents.reloads, asked.length]).toEqual([5, 0]);
    await crash(contents);
    expect([contents.reloads, asked.length, quits]).toEqual([5, 1, ['quit']]);
  });

  it('is loaded again when the person says so, and counted from there', async () => {
    const { contents, asked } = await openDesk([0]);
    for (let count = 0; count < 10; count += 1) await crash(contents);
    expect([contents.reloads, asked.length]).toEqual([10, 1]);
  });

  it('is not loaded again when it ended as it should', async () => {
    const { contents } = await openDesk();
    await crash(contents, 'clean-exit');
    expect(contents.reloads).toBe(0);
  });
});

describe('a page that hangs', () => {
  it('is ended only when a person says so', async () => {
    const { first, contents, asked } = await openDesk([0, 1]);
    first.emit('unresponsive');
    await settle();
    expect([asked.length, contents.crashes]).toEqual([1, 0]);
    first.emit('unresponsive');
    await settle();
    expect([asked.length, contents.crashes]).toEqual([2, 1]);
  });

  it('is left alone when it answers again', async () => {
    const { first, contents } = await openDesk([1]);
    first.emit('unresponsive');
    first.emit('responsive');
    await settle();
    expect(contents.crashes).toBe(0);
  });
});
