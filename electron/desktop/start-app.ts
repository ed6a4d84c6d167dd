import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { DesktopCommandArguments, HelpPage } from '../../shared/ipc/desktop.ts';
import { loadDeskId, proxyVariables, type Ports, type UpdatePolicy } from '../agent/index.ts';
import { findBuiltPages } from '../console/page-files.ts';
import { createServeCall, createConfirmCall } from './security/agent-calls.ts';
import { ownAppImage } from './updates/app-image.ts';
import { createAppProtocol, APP_SCHEME } from './security/app-protocol.ts';
import { checkNativeModule } from './security/native-module.ts';
import { CHOICE_FILE, openChoiceStore, followLanguage, createLoginItem } from './choice-store.ts';
import { startDeskAgent, createHostPorts, readAhead } from './desk-agent.ts';
import { createDesktopCommands, createServeCommand } from './desktop-commands.ts';
import type { ElectronApi } from './electron-api.ts';
import {
  createRelaunch,
  faultsBefore,
  endOnFault,
  reportStartFailure,
  stopsAfter,
} from './quitting/end-on-fault.ts';
import { createNativeWords, type Say } from '../../shared/words/native-words.ts';
import { guardAllContents, guardSession } from './security/guards.ts';
import { openHelpPage } from './window/app-menu.ts';
import { chooseGraphics, createCrashCounts, followProcesses, recoverCrashedPage } from './process-faults.ts';
import { openIpcGateway } from './security/ipc-gateway.ts';
import { followStartRequests, readStartArguments, type AppPlaces } from './start-requests.ts';
import { createLogFile } from './log.ts';
import { createMainWindow } from './window/main-window.ts';
import { createNativeDialogs } from './window/native-dialogs.ts';
import { openDesktop } from './open-desktop.ts';
import { openUpdates } from './updates/open-updates.ts';
import { createOpenWindow, type OpenWindow, createWindowPlace } from './window/open-window.ts';
import { createQuitProtocol, followSystemEnd } from './quitting/quit-app.ts';
import { hasTrayPlace } from './tray/tray.ts';
import { runSelfTest } from './self-test/self-test.ts';
import { createReportPrinter } from './window/print-report.ts';
import { createThumbnailWindow } from './window/thumbnail-window.ts';
import { createUnsavedChanges } from './quitting/quit-question.ts';

/** Relative to the bundle, which is as deep as this file; the preload script and the icons have to be built. */
const preload = fileURLToPath(new URL('../preload/preload.cjs', import.meta.url));
const trayPictures = fileURLToPath(new URL('./tray/', import.meta.url));
const nativeModules = new URL('../../node_modules/better-sqlite3/prebuilds/', import.meta.url);

const PROGRAM = 'vms-export-agent';

/**
 * Assembles the app in the order of its dependencies; quitting takes it apart in reverse. Call it before Electron is
 * ready. Rejects only for bugs.
 */
export async function startApp(electron: ElectronApi, places: AppPlaces): Promise<void> {
  const { app, powerMonitor, session, shell } = electron;
  const { isPackaged } = app;
  const { platform } = process;
  const { ownArguments, faults, appImage, relaunch } = readRestart(app);
  const host = openHost(electron, places, { relaunch, faults: faults.inARow });
  const { words, logFile } = host;
  const { say } = words;
  const { clock, logger } = host.ports;
  const common = { clock, logger, say };
  const openWindow = createOpenWindow(electron, preload);
  const crashes = createCrashCounts();
  const { window, place, dialogs } = createFront(electron, places, openWindow, {
    ...host.ports,
    crashes,
    say,
  });
  const choiceFile = join(places.userData, CHOICE_FILE);
  const isGpuUsed = chooseGraphics(app, choiceFile);
  const trayPlace = hasTrayPlace(platform);
  const wish = readStartArguments(process.argv.slice(ownArguments), process.cwd());
  // Before Electron is ready: macOS passes a link on immediately
  const startRequests = followStartRequests({
    app,
    window,
    ownArguments,
    registersLinks: isPackaged && platform !== 'linux',
    logger,
  });
  // In parallel with Electron's own start
  const ahead = readAhead(places, { ...host, version: app.getVersion() });
  const programProblem = checkNativeModule({ platform, arch: process.arch, folder: nativeModules });

  await app.whenReady();
  guardSession(session.defaultSession, { isPackaged, logger });
  const answerPage = createAppProtocol(findPages(), (request, signal) => agent.playClip(request, signal));
  electron.protocol.handle(APP_SCHEME, answerPage);
  const hidden = { electron, openWindow, isPackaged, clock, logger };
  const thumbnails = createThumbnailWindow({ ...hidden, answerPage });
  const loginItem = createLoginItem({
    platform,
    app,
    configHome: app.getPath('appData'),
    command: [appImage ?? process.execPath, ...places.profileArguments],
    name: PROGRAM,
  });
  const hasTray = await trayPlace;
  const choice = await openChoiceStore({ file: choiceFile, loginItem, hasTray, logger });
  words.speak(choice.language());
  followProcesses({ app, choice, crashes, logger });
  const unsaved = createUnsavedChanges(window);
  const stops = new AsyncDisposableStack();
  const quit = createQuitProtocol({
    app,
    dialogs,
    hasUnsavedChanges: unsaved.any,
    hideWindow: window.hide,
    stopAll: () => stops.disposeAsync(),
    flushLog: host.flushLog,
    ...common,
  });
  followSystemEnd({ powerMonitor, process }, quit);
  const stopped = stopsAfter(faults, say, logFile);
  const openHelp = (page: HelpPage): Promise<void> => openHelpPage(shell, page);
  const desktop = openDesktop({
    electron,
    platform,
    trayPictures,
    window,
    choice,
    dialogs,
    hasTray,
    faults: stopped === undefined ? faults.inARow : 0,
    quit,
    openHelp,
    ...common,
  });
  window.onOpened(desktop.onOpened);
  const agent = startDeskAgent({
    places,
    ...ahead,
    faults: faults.inARow,
    programProblem: stopped ?? programProblem,
    ports: {
      ...host.ports,
      thumbnails,
      printPdf: createReportPrinter(hidden),
      isOnBattery: () => powerMonitor.isOnBatteryPower(),
    },
    proxyVariables: host.proxyVariables,
    onMade: desktop.attach,
  });
  window.sendSignals(agent.onSignal);
  quit.followAgent(agent);
  // Stopped from the bottom up: the window goes before the agent that it shows
  stops.defer(host.flushLog);
  stops.defer(thumbnails.stop);
  stops.defer(agent.stop);
  stops.defer(window.destroy);
  // A destroyed window reports neither its position nor that it closes
  stops.defer(place.settle);
  stops.defer(desktop.stop);

  const updates = await openUpdates({
    app,
    isPackaged,
    platform,
    policy: await updatePolicy(ahead),
    installedVersion: app.getVersion(),
    // Created by the agent at its first start
    deskId: () => agent.started.then(() => loadDeskId(places.dataDir)),
    quit,
    onState: (state) => window.tell({ kind: 'updateState', state }),
    ...common,
  });
  quit.installAtEnd(updates.lastStep);
  const report = Promise.withResolvers<DesktopCommandArguments<'selfTest.report'>>();
  const commands = createDesktopCommands({
    agent,
    dialogs,
    logger,
    showInFolder: (path) => shell.showItemInFolder(path),
    openHelp,
    choice,
    diagnose: () =>
      crashes.diagnosis({ isGpuUsed, hasTray, faults: faults.inARow, folder: places.accountData }),
    takeReport: report.resolve,
    setMenu: desktop.setMenu,
    speak: followLanguage(words, choice, logger),
    setUnsaved: unsaved.set,
    updates,
  });
  const confirm = createConfirmCall({ dialogs, ...common });
  const answers = {
    call: createServeCall({ started: agent.started, confirm, logger }),
    order: createServeCommand(commands, logger),
  };
  stops.defer(openIpcGateway({ electron, page: window, answers, logger }).close);
  stops.defer(updates.stop);

  await window.open({ isHidden: wish.isHidden || loginItem.wasUsed() });
  await startRequests.take({ ...wish, isHidden: true });
  const running = await agent.started;
  if (!running.ok) return reportStartFailure(running.error, { app, dialogs, relaunch, quit, say });
  updates.start();
  if (places.isSelfTest)
    await runSelfTest({
      electron,
      window,
      report: report.promise,
      agent: running.value,
      loginItem,
      hasTray,
      quit,
      folders: [places.userData, places.accountData],
      ...common,
    });
}

/** What led to this start, and how the program restarts. */
function readRestart(app: ElectronApi['app']) {
  const ownArguments = app.isPackaged ? 1 : 2;
  const appImage = ownAppImage(process);
  const args = process.argv.slice(1);
  const relaunch = createRelaunch({ app, appImage, args, ownArguments: ownArguments - 1 });
  return { ownArguments, faults: faultsBefore(args), appImage, relaunch };
}

/** The log and the ports, with the fault handling and the guards that apply to every window from the start. */
function openHost(
  electron: ElectronApi,
  places: AppPlaces,
  restart: Pick<Parameters<typeof endOnFault>[0], 'relaunch' | 'faults'>,
) {
  const { app } = electron;
  const name = `${PROGRAM}.log`;
  const log = createLogFile({ folder: places.logs, name });
  const logFile = join(places.logs, name);
  const words = createNativeWords();
  const fromEnvironment = proxyVariables(process.env);
  const ports = createHostPorts(electron, places, fromEnvironment, log.write);
  const { clock, logger } = ports;
  logger.info('The app is starting', {
    version: app.getVersion(),
    isPackaged: app.isPackaged,
    platform: process.platform,
  });
  endOnFault({
    app,
    process,
    clock,
    logger,
    flush: log.flush,
    lastLine: log.lastLine,
    showError: (title, text) => electron.dialog.showErrorBox(title, text),
    say: words.say,
    logFile,
    ...restart,
  });
  guardAllContents(electron, logger);
  // Windows shows notifications only of apps that the installer registered by this ID (electron-builder.yml: appId)
  if (process.platform === 'win32') app.setAppUserModelId('com.vms-export-agent');
  return { ports, words, logFile, proxyVariables: fromEnvironment, flushLog: log.flush };
}

/** The window, not opened yet, with its dialogs, its position and its crash recovery. */
function createFront(
  electron: ElectronApi,
  places: AppPlaces,
  openWindow: OpenWindow,
  deps: Pick<Ports, 'clock' | 'logger'> & {
    readonly crashes: ReturnType<typeof createCrashCounts>;
    readonly say: Say;
  },
) {
  const { app, dialog } = electron;
  const { clock, logger } = deps;
  const place = createWindowPlace({
    file: join(places.userData, 'window.json'),
    areas: () => workAreas(electron),
    clock,
    logger,
  });
  const window = createMainWindow({ electron, openWindow, place, logger });
  const dialogs = createNativeDialogs({ dialog, parent: window.parent, front: window.front });
  window.onOpened((opened) => recoverCrashedPage(opened, { ...deps, dialogs, onGiveUp: () => app.quit() }));
  window.onOpened(place.follow);
  return { window, place, dialogs };
}

/** The policy for updates. One that cannot be read ends the app; until then nothing is downloaded. */
async function updatePolicy({ policy }: ReturnType<typeof readAhead>): Promise<UpdatePolicy> {
  const read = await policy;
  return read.ok ? read.value.updates : { enabled: false, channel: 'stable' };
}

function findPages(): string {
  const pages = findBuiltPages();
  if (pages === undefined) throw new Error("The app's pages are not built. Run: npm run build");
  return pages;
}

/** Work areas of the screens, without bars and docks; the primary screen first. */
function workAreas({ screen }: Pick<ElectronApi, 'screen'>) {
  const primary = screen.getPrimaryDisplay();
  const others = screen.getAllDisplays().filter(({ id }) => id !== primary.id);
  return [primary, ...others].map(({ workArea }) => workArea);
}
