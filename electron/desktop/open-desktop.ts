import type { BrowserWindow, Tray } from 'electron/main';
import type { DesktopEvent, HelpPage, MenuCommand } from '../../shared/ipc/desktop.ts';
import type { Agent, Clock, Logger } from '../agent/index.ts';
import { appMenu, contextMenu } from './window/app-menu.ts';
import type { ChoiceStore } from './choice-store.ts';
import { createCloseRule, type QuitProtocol } from './quitting/quit-app.ts';
import { startHealthPoll, type DeskState } from './tray/health-poll.ts';
import type { MainWindow } from './window/main-window.ts';
import type { ElectronApi } from './electron-api.ts';
import { logEvents } from './log.ts';
import { createNativeNotifications, startNotifications, type NewsCard } from './tray/notifications.ts';
import type { NativeDialogs } from './window/native-dialogs.ts';
import type { Say } from '../../shared/words/native-words.ts';
import { createTray, type TrayIcon } from './tray/tray.ts';
import { join } from 'node:path';

interface Deps {
  readonly electron: Pick<
    ElectronApi,
    'Menu' | 'nativeImage' | 'Notification' | 'powerMonitor' | 'powerSaveBlocker' | 'Tray'
  >;
  readonly platform: NodeJS.Platform;
  /** Folder with the tray icons, absolute. */
  readonly trayPictures: string;
  readonly window: MainWindow;
  readonly choice: ChoiceStore;
  readonly dialogs: Pick<NativeDialogs, 'ask'>;
  readonly hasTray: boolean;
  /** Consecutive faults that this start recovers from. */
  readonly faults: number;
  readonly quit: Pick<QuitProtocol, 'isEnding' | 'quit'>;
  readonly openHelp: (page: HelpPage) => Promise<void>;
  readonly say: Say;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** The desktop integration besides the window: menus, tray, notifications, power, and the log of the agent's events. */
export interface DesktopSide {
  /** The commands that the page offers now. */
  setMenu(commands: readonly MenuCommand[]): void;
  /** Call it with each window as it is created. */
  onOpened(window: BrowserWindow): void;
  /** Connects the log, tray, notifications and power to this agent. Call it once. */
  attach(agent: Agent): void;
  stop(): void;
}

/** Creates all of it in one visible order; `stop` ends it in reverse. */
export function openDesktop(deps: Deps): DesktopSide {
  const { electron, platform, window, choice, quit, clock, logger, say } = deps;
  const { Menu } = electron;
  const stops: (() => void)[] = [];
  const showCard = createNativeNotifications(electron, platform, logger);
  let commands: readonly MenuCommand[] = [];

  const quitByPerson = (): void => void quit.quit('person');
  const tell = (event: DesktopEvent): void => {
    window.bringToFront();
    window.tell(event);
  };
  const give = (id: string): void => tell({ kind: 'command', id });
  const help = (page: HelpPage): void => {
    deps.openHelp(page).catch((error: unknown) => logger.warn('Help could not be opened', { page, error }));
  };
  const closeRule = createCloseRule({
    window,
    choice,
    dialogs: deps.dialogs,
    quit,
    tellOfTray: () => showCard(stillWorking(deps.hasTray, say), () => window.bringToFront()),
    logger,
    say,
  });

  function setMenu(next: readonly MenuCommand[]): void {
    commands = next;
    const template = appMenu({
      platform,
      commands,
      onCommand: give,
      onHelp: help,
      onQuit: quitByPerson,
      say,
    });
    Menu.setApplicationMenu(Menu.buildFromTemplate([...template]));
  }

  function runCommand(
    agent: Agent,
    call: 'uploads.pause' | 'uploads.resume',
    refresh: () => Promise<void>,
  ): void {
    agent
      .call({ call, input: { target: { kind: 'all' } } })
      .then((reply) => {
        if (!reply.ok) logger.warn('A tray command was refused', { call, code: reply.error.code });
        return refresh();
      })
      .catch((error: unknown) => logger.error('A tray command failed', { call, error }));
  }

  function attach(agent: Agent): void {
    const endLog = logEvents(agent.events, logger);
    const icon = createTrayIcon({
      electron,
      platform,
      pictures: deps.trayPictures,
      say,
      onOpen: window.bringToFront,
    });
    const trayCommands = {
      open: window.bringToFront,
      pause: () => runCommand(agent, 'uploads.pause', poll.pollNow),
      resume: () => runCommand(agent, 'uploads.resume', poll.pollNow),
      showFailed: () => tell({ kind: 'showFailed' }),
      addFolder: () => give('uploads.add'),
      quit: quitByPerson,
    };
    const tray = createTray(icon, trayCommands, say);
    const power = followPower({ ...electron, agent, clock, logger });
    const news = startNotifications({ events: agent.events, window, choice, clock, say, show: showCard });
    const poll = startHealthPoll({
      agent,
      clock,
      logger,
      say,
      onState(state) {
        tray.update(state);
        power.update(state);
      },
    });
    stops.push(endLog, icon.destroy, power.stop, news.stop, poll.stop);
  }

  setMenu([]);
  if (deps.faults > 0) showCard(restartedCard(say), () => window.bringToFront());
  return {
    setMenu,
    attach,
    onOpened(opened) {
      closeRule(opened);
      opened.webContents.on('context-menu', (_event, clicked) => {
        const items = contextMenu(clicked, commands);
        if (items.length > 0) Menu.buildFromTemplate([...items]).popup({ window: opened });
      });
    },
    stop() {
      for (const stop of stops.toReversed()) stop();
      stops.length = 0;
    },
  };
}

const stillWorking = (hasTray: boolean, say: Say): NewsCard => ({
  title: say('news.hidden'),
  body: say(hasTray ? 'news.hiddenTray' : 'news.hiddenNoTray'),
});

const restartedCard = (say: Say): NewsCard => ({
  title: say('news.cameBack'),
  body: say('news.cameBackText'),
});

interface TrayIconDeps {
  readonly electron: Pick<ElectronApi, 'Menu' | 'nativeImage' | 'Tray'>;
  readonly platform: NodeJS.Platform;
  /** Folder with an icon for each state (scripts/icons/icon-files.ts), absolute. */
  readonly pictures: string;
  readonly say: Say;
  readonly onOpen: () => void;
}

/** The icon in the system's tray, created when there is something to show. */
function createTrayIcon({ electron, platform, pictures, say, onOpen }: TrayIconDeps): TrayIcon {
  const { Menu, nativeImage, Tray } = electron;
  // Electron also loads the image for high-density screens (@2x), and recognises by this name an image that macOS
  // colours
  const form = platform === 'darwin' ? 'Template' : '';
  let tray: Tray | undefined;

  return {
    show(glyph, line, menu) {
      const image = nativeImage.createFromPath(join(pictures, `${glyph}${form}.png`));
      if (tray === undefined) {
        tray = new Tray(image);
        // On macOS a click opens the menu
        if (platform !== 'darwin') tray.on('click', onOpen);
      } else {
        tray.setImage(image);
      }
      tray.setToolTip(`${say('app')}: ${line}`);
      tray.setContextMenu(Menu.buildFromTemplate([...menu]));
    },
    destroy() {
      tray?.destroy();
      tray = undefined;
    },
  };
}

/** Time without a byte sent after which the PC may go to sleep, milliseconds: a retry on a bad line takes as long. */
const REST_MS = 60_000;

/** The part of Electron's power API that is used. */
interface PowerDeps {
  readonly powerMonitor: { on(event: 'suspend' | 'resume', listener: () => void): unknown };
  readonly powerSaveBlocker: {
    start(type: 'prevent-app-suspension'): number;
    stop(id: number): unknown;
  };
  readonly agent: Pick<Agent, 'suspend' | 'resume'>;
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly logger: Logger;
}

/**
 * Suspends and resumes the agent with the PC, and keeps the PC awake while bytes are sent. A locked screen or battery
 * power changes nothing: the control room still waits for the clips.
 */
export function followPower({ powerMonitor, powerSaveBlocker, agent, clock, logger }: PowerDeps): {
  readonly update: (state: DeskState) => void;
  readonly stop: () => void;
} {
  let blocker: number | undefined;
  let lastBytes: number | undefined;
  let movedMs = clock.monotonic();

  const sleep = (work: Promise<void>): void => {
    work.catch((error: unknown) =>
      logger.error('The PC went to sleep before uploads could stop in order', { error }),
    );
  };
  powerMonitor.on('suspend', () => {
    logger.info('The PC is going to sleep; nothing is started until it wakes up');
    letSleep();
    sleep(agent.suspend());
  });
  powerMonitor.on('resume', () => {
    logger.info('The PC woke up');
    sleep(agent.resume());
  });

  function letSleep(): void {
    if (blocker !== undefined) powerSaveBlocker.stop(blocker);
    blocker = undefined;
  }

  return {
    update({ progress }) {
      const bytes = progress.bytesUploaded + progress.bytesInFlight;
      const now = clock.monotonic();
      const hasMoved = lastBytes !== undefined && bytes !== lastBytes;
      lastBytes = bytes;
      if (hasMoved) {
        movedMs = now;
        blocker ??= powerSaveBlocker.start('prevent-app-suspension');
      } else if (now - movedMs >= REST_MS) {
        letSleep();
      }
    },
    stop: letSleep,
  };
}
