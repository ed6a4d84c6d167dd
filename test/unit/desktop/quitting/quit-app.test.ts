import { EventEmitter } from 'node:events';
import { describe, expect, it } from 'vitest';
import type { Progress } from '../../../../electron/agent/index.ts';
import {
  createCloseRule,
  createQuitProtocol,
  followSystemEnd,
} from '../../../../electron/desktop/quitting/quit-app.ts';
import { collectLog, createScriptedDialogs, progressOf, say } from '../../../helpers/desk-tools.ts';
import { createFakeClock } from '../../../helpers/fake-clock.ts';

const never = new Promise<void>(() => undefined);
const busy = progressOf({ clips: 2, bytesTotal: 100 });

interface Script {
  readonly progress?: Progress;
  readonly answers?: readonly number[];
  readonly hasUnsavedChanges?: boolean;
  readonly drain?: () => Promise<void>;
  readonly stop?: () => Promise<void>;
  readonly lastStep?: boolean;
}

function createDesk(script: Script = {}) {
  const { progress = busy, answers, drain, stop, lastStep = false } = script;
  const steps: string[] = [];
  const clock = createFakeClock();
  const app = Object.assign(new EventEmitter(), { exit: (code: number) => void steps.push(`exit ${code}`) });
  const { ask, offer, asked } = createScriptedDialogs(answers);
  const { logger, lines } = collectLog();
  const protocol = createQuitProtocol({
    say,
    app,
    dialogs: { ask, offer },
    hasUnsavedChanges: () => script.hasUnsavedChanges === true,
    hideWindow: () => void steps.push('hide'),
    stopAll() {
      steps.push('stop');
      return stop?.() ?? Promise.resolve();
    },
    flushLog: async () => void steps.push('log'),
    clock,
    logger,
  });
  protocol.followAgent({
    progress: () => progress,
    drain() {
      steps.push('drain');
      return drain?.() ?? Promise.resolve();
    },
  });
  protocol.installAtEnd(() => (lastStep ? async () => void steps.push('last step') : undefined));
  /** Does what Electron does when something calls `app.quit`; returns whether it was prevented. */
  const beforeQuit = (): boolean => {
    let isHeld = false;
    app.emit('before-quit', { preventDefault: () => void (isHeld = true) });
    return isHeld;
  };
  return { steps, clock, app, asked, lines, protocol, beforeQuit };
}

describe('the end of the app', () => {
  it('needs no question when nothing is left', async () => {
    const desk = createDesk({ progress: progressOf() });
    await desk.protocol.quit('person');
    expect(desk.asked).toEqual([]);
    expect(desk.steps).toEqual(['drain', 'hide', 'stop', 'exit 0']);
  });

  it('asks before changes of the settings are lost, also when all is sent', async () => {
    const desk = createDesk({ progress: progressOf(), hasUnsavedChanges: true, answers: [0] });
    await desk.protocol.quit('person');
    expect(desk.asked.map(({ message }) => message)).toEqual(['Quit without saving the settings?']);
    expect(desk.steps).toEqual([]);
    await desk.protocol.quit('system');
    expect(desk.asked).toHaveLength(1);
    expect(desk.steps).toEqual(['hide', 'stop', 'exit 0']);
  });

  it('asks while something is left, and goes on working when it is not meant', async () => {
    const desk = createDesk({ answers: [0, 1] });
    await desk.protocol.quit('person');
    expect(desk.steps).toEqual([]);
    expect(desk.protocol.isEnding()).toBe(false);
    await desk.protocol.quit('person');
    expect(desk.asked).toHaveLength(2);
    expect(desk.steps).toEqual(['drain', 'hide', 'stop', 'exit 0']);
  });

  it('is held back at Electron until the protocol is through', async () => {
    const desk = createDesk({ answers: [1] });
    expect(desk.beforeQuit()).toBe(true);
    expect(desk.beforeQuit()).toBe(true);
    await expect.poll(() => desk.steps).toEqual(['drain', 'hide', 'stop', 'exit 0']);
    expect(desk.beforeQuit()).toBe(false);
    expect(desk.asked).toHaveLength(1);
  });

  it('lets what is on the line arrive for ten seconds, no longer', async () => {
    const desk = createDesk({ progress: progressOf(), drain: () => never });
    const quitting = desk.protocol.quit('person');
    await desk.clock.untilAsleep(2);
    await desk.clock.advance(9_000);
    expect(desk.steps).toEqual(['drain']);
    expect(desk.asked.at(-1)?.buttons).toEqual(['Quit now']);
    await desk.clock.advance(1_500);
    await quitting;
    expect(desk.steps).toEqual(['drain', 'hide', 'stop', 'exit 0']);
  });

  it('ends sooner for who does not want to wait', async () => {
    const desk = createDesk({ progress: progressOf(), drain: () => never, answers: [0] });
    const quitting = desk.protocol.quit('person');
    await desk.clock.untilAsleep(2);
    await desk.clock.advance(1_000);
    await quitting;
    expect(desk.steps).toEqual(['drain', 'hide', 'stop', 'exit 0']);
  });

  it('never hangs: a stop that does not end, or fails, is left behind', async () => {
    const hanging = createDesk({ progress: progressOf(), stop: () => never });
    const quitting = hanging.protocol.quit('person');
    await expect.poll(() => hanging.steps.at(-1)).toBe('stop');
    await hanging.clock.advance(8_000);
    await quitting;
    expect(hanging.steps.at(-1)).toBe('exit 0');
    expect(hanging.lines.at(-1)).toContain('took too long');

    const failing = createDesk({ progress: progressOf(), stop: () => Promise.reject(new Error('bug')) });
    await failing.protocol.quit('person');
    expect(failing.steps.at(-1)).toBe('exit 0');
  });

  it('asks nobody when the system ends, and does not wait for the line', async () => {
    const desk = createDesk();
    await desk.protocol.quit('system');
    expect(desk.asked).toEqual([]);
    expect(desk.steps).toEqual(['hide', 'stop', 'exit 0']);
  });

  it('does not wait for an open question when the system ends, nor heeds its late answer', async () => {
    const desk = createDesk({ stop: () => never });
    const asking = desk.protocol.quit('person');
    await expect.poll(() => desk.asked).toHaveLength(1);
    const ending = desk.protocol.quit('system');
    await asking;
    expect(desk.protocol.isEnding()).toBe(true);
    await desk.clock.advance(3_500);
    await ending;
    expect(desk.steps).toEqual(['hide', 'stop', 'exit 0']);
  });

  it('cuts the waiting for the line short when the system ends', async () => {
    const desk = createDesk({ progress: progressOf(), drain: () => never });
    const quitting = desk.protocol.quit('person');
    await expect.poll(() => desk.steps.at(-1)).toBe('drain');
    await desk.protocol.quit('system');
    await quitting;
    expect(desk.steps).toEqual(['drain', 'hide', 'stop', 'exit 0']);
  });

  it('leaves a stop that hangs sooner when the system ends meanwhile, and begins no installer', async () => {
    const desk = createDesk({ progress: progressOf(), stop: () => never, lastStep: true });
    const quitting = desk.protocol.quit('person');
    await expect.poll(() => desk.steps.at(-1)).toBe('stop');
    await desk.clock.untilAsleep(1);
    await desk.protocol.quit('system');
    await desk.clock.untilAsleep(2);
    await desk.clock.advance(3_500);
    await quitting;
    expect(desk.steps).toEqual(['drain', 'hide', 'stop', 'exit 0']);
  });

  it('runs a last step, such as an update, in place of the plain exit', async () => {
    const desk = createDesk({ progress: progressOf() });
    await desk.protocol.quit('person', async () => void desk.steps.push('install'));
    expect(desk.steps).toEqual(['drain', 'hide', 'stop', 'install']);
    expect(desk.beforeQuit()).toBe(false);
  });

  it('runs what is ready to be installed when a person quits, not when the system ends', async () => {
    const desk = createDesk({ progress: progressOf(), lastStep: true });
    await desk.protocol.quit('person');
    expect(desk.steps).toEqual(['drain', 'hide', 'stop', 'last step']);
    const other = createDesk({ progress: progressOf(), lastStep: true });
    await other.protocol.quit('system');
    expect(other.steps).toEqual(['hide', 'stop', 'exit 0']);
  });

  it('ends all the same when an installer does not end the app, or fails', async () => {
    const desk = createDesk({ progress: progressOf(), lastStep: true });
    await desk.protocol.quit('person');
    await desk.clock.advance(120_000);
    expect(desk.steps.at(-1)).toBe('exit 0');
    const failing = createDesk({ progress: progressOf() });
    await failing.protocol.quit('person', () => Promise.reject(new Error('no installer')));
    await expect.poll(() => failing.steps.slice(-2)).toEqual(['log', 'exit 0']);
  });

  it('does not come with the last window', () => {
    expect(createDesk().app.listenerCount('window-all-closed')).toBe(1);
  });
});

describe('the end of the system', () => {
  it.each(['SIGINT', 'SIGTERM', 'SIGHUP', 'shutdown'])('%s ends the app in order', async (what) => {
    const desk = createDesk();
    const [powerMonitor, process] = [new EventEmitter(), new EventEmitter()];
    followSystemEnd({ powerMonitor, process }, desk.protocol);
    let isHeld = false;
    if (what === 'shutdown') powerMonitor.emit(what, { preventDefault: () => void (isHeld = true) });
    else process.emit(what);
    await expect.poll(() => desk.steps).toEqual(['hide', 'stop', 'exit 0']);
    expect(isHeld).toBe(what === 'shutdown');
  });
});

describe('closing the window', () => {
  function closeDesk(closeToTray: boolean, isEnding = false, answer?: number) {
    const steps: string[] = [];
    let mustAsk = answer !== undefined;
    let wasTold = false;
    const rule = createCloseRule({
      say,
      window: { hide: () => void steps.push('hide') },
      choice: {
        get: () => ({ closeToTray, startAtLogin: false, notifyFinished: false, isGpuUsed: true }),
        mustAskOfClosing: () => mustAsk,
        async set(change) {
          mustAsk = false;
          steps.push(`kept ${String(change.closeToTray)}`);
          return { closeToTray, startAtLogin: false, notifyFinished: false, isGpuUsed: true };
        },
        async tellOfTray() {
          const isFirst = !wasTold;
          wasTold = true;
          return isFirst;
        },
      },
      quit: { isEnding: () => isEnding, quit: async (cause) => void steps.push(`quit ${cause}`) },
      dialogs: { ask: async () => answer ?? 0 },
      logger: { warn: () => undefined },
      tellOfTray: () => void steps.push('tell'),
    });
    const window = new EventEmitter();
    rule(window);
    const close = (): boolean => {
      let isHeld = false;
      window.emit('close', { preventDefault: () => void (isHeld = true) });
      return isHeld;
    };
    return { steps, window, close };
  }

  it('hides it, and says once that the app goes on', async () => {
    const desk = closeDesk(true);
    expect(desk.close()).toBe(true);
    await expect.poll(() => desk.steps).toEqual(['hide', 'tell']);
    desk.close();
    await expect.poll(() => desk.steps).toEqual(['hide', 'tell', 'hide']);
  });

  it.each([
    [0, ['kept true', 'hide', 'tell']],
    [1, ['kept false', 'quit person']],
  ])('asks once what it does where there is no tray; answer %d', async (answer, steps) => {
    const desk = closeDesk(false, false, answer);
    expect([desk.close(), desk.close()]).toEqual([true, true]);
    await expect.poll(() => desk.steps).toEqual(steps);
  });

  it('ends the app where a person chose so', () => {
    const desk = closeDesk(false);
    expect(desk.close()).toBe(true);
    expect(desk.steps).toEqual(['quit person']);
  });

  it('closes it at the end of the app, and follows the end of the session', () => {
    const desk = closeDesk(true, true);
    expect(desk.close()).toBe(false);
    desk.window.emit('session-end');
    expect(desk.steps).toEqual(['quit system']);
  });
});
