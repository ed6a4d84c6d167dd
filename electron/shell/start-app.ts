import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { HelpPage } from '../../shared/ipc/desktop.ts';
import { proxyVariables, readPolicy, type UpdatePolicy } from '../agent/index.ts';
import { findBuiltPages } from '../console/find-asset.ts';
import { createServeCall } from './agent-calls.ts';
import { ownAppImage } from './app-image.ts';
import type { AppPlaces } from './app-places.ts';
import { createAppProtocol } from './app-protocol.ts';
import { APP_SCHEME } from './app-scheme.ts';
import { checkNativeModule } from './check-native-module.ts';
import { openChoiceStore } from './choice-store.ts';
import { createConfirmCall } from './confirm-call.ts';
import { startDeskAgent } from './desk-agent.ts';
import { createDesktopOrders } from './desktop-orders.ts';
import type { ElectronApi } from './electron-api.ts';
import { endOnFault } from './end-on-fault.ts';
import { guardAllContents } from './guard-contents.ts';
import { guardSession } from './guard-session.ts';
import { openHelpPage } from './help-pages.ts';
import { createHostPorts } from './host-ports.ts';
import { openIpcGateway } from './ipc-gateway.ts';
import { followLaterStarts } from './later-starts.ts';
import { createLogFile } from './log-file.ts';
import { createLoginItem } from './login-item.ts';
import { createMainWindow } from './main-window.ts';
import { createNativeDialogs } from './native-dialogs.ts';
import { openDesktop } from './open-desktop.ts';
import { openUpdates } from './open-updates.ts';
import { createOpenWindow } from './open-window.ts';
import { createQuitProtocol } from './quit-app.ts';
import { createServeOrder } from './serve-orders.ts';
import { readStartArguments } from './start-arguments.ts';
import { followSystemEnd } from './system-end.ts';
import { tellStartFailure } from './tell-start-failure.ts';
import { createThumbnailWindow } from './thumbnail-window.ts';
import { createUnsavedChanges } from './unsaved-changes.ts';
import { createWindowPlace } from './window-state.ts';

/** Seen from the bundle: a sandboxed script has to be built. */
const preload = fileURLToPath(new URL('../preload/preload.cjs', import.meta.url));

/**
 * Puts the app together, in the order in which things need one another; the quit protocol takes it apart in reverse.
 * Called before Electron is ready. Rejects only for bugs.
 */
export async function startApp(electron: ElectronApi, places: AppPlaces): Promise<void> {
  const { app, dialog, protocol, session, shell } = electron;
  const { isPackaged } = app;
  const { platform } = process;
  const log = createLogFile({ folder: places.logs, name: 'vms-export-agent.log' });
  const fromEnvironment = proxyVariables(process.env);
  const ports = createHostPorts(electron, places, fromEnvironment, log.write);
  const { clock, logger } = ports;
  logger.info('The app starts', { version: app.getVersion(), isPackaged, platform });
  endOnFault({ app, dialog, process, clock, logger, flush: log.flush });
  guardAllContents(electron, logger);
  // Windows shows notifications of apps that it knows by the installer's name for them (electron-builder.yml: appId)
  if (platform === 'win32') app.setAppUserModelId('com.vms-export-agent');

  const dialogs = createNativeDialogs({ dialog, parent: () => window.parent() });
  const place = createWindowPlace({
    file: join(places.userData, 'window.json'),
    areas: () => workAreas(electron),
    clock,
    logger,
  });
  const openWindow = createOpenWindow(electron, preload);
  const window = createMainWindow({
    electron,
    openWindow,
    dialogs,
    clock,
    logger,
    onSignal: (listener) => agent.onSignal(listener),
    placement: place.read,
    onOpened(opened) {
      place.follow(opened);
      desktop.onOpened(opened);
    },
    onGiveUp: () => app.quit(),
  });
  const ownArguments = isPackaged ? 1 : 2;
  const wish = readStartArguments(process.argv.slice(ownArguments), process.cwd());
  // Before Electron is ready: macOS hands a link over at once
  const laterStarts = followLaterStarts({ app, window, ownArguments, isPackaged, logger });

  // Windows starts a program for it, which takes its time beside Electron's own
  const policy = readPolicy();
  const programTrouble = checkNativeModule({ platform, arch: process.arch });

  await app.whenReady();
  guardSession(session.defaultSession, { isPackaged, logger });
  const answerPage = createAppProtocol(findPages());
  protocol.handle(APP_SCHEME, answerPage);
  const thumbnails = createThumbnailWindow({ electron, openWindow, answerPage, isPackaged, clock, logger });
  const loginItem = createLoginItem({
    platform,
    app,
    configHome: app.getPath('appData'),
    program: ownAppImage(process) ?? process.execPath,
    name: 'vms-export-agent',
  });
  const choice = await openChoiceStore({ file: join(places.userData, 'desktop.json'), loginItem, logger });
  const openHelp = (page: HelpPage): Promise<void> => openHelpPage(shell, page);
  const unsaved = createUnsavedChanges(window);
  const quit = createQuitProtocol({
    app,
    agent: { drain: () => agent.drain(), progress: () => agent.progress() },
    dialogs,
    hasUnsavedChanges: unsaved.any,
    hideWindow: window.hide,
    stopAll,
    lastStep: () => updates.lastStep(),
    flushLog: log.flush,
    clock,
    logger,
  });
  followSystemEnd({ powerMonitor: electron.powerMonitor, process }, quit);
  const desktop = openDesktop({ electron, platform, window, choice, quit, openHelp, clock, logger });
  const agent = startDeskAgent({
    places,
    version: app.getVersion(),
    policy,
    programTrouble,
    ports: { ...ports, thumbnails },
    proxyVariables: fromEnvironment,
    onMade: desktop.attach,
  });
  const updates = await openUpdates({
    app,
    isPackaged,
    platform,
    policy: await updatePolicy(policy),
    installedVersion: app.getVersion(),
    quit,
    onState: (state) => window.tell({ kind: 'updateState', state }),
    clock,
    logger,
  });
  const orders = createDesktopOrders({
    agent,
    dialogs,
    logger,
    showInFolder: (path) => shell.showItemInFolder(path),
    openHelp,
    choice,
    setMenu: desktop.setMenu,
    setUnsaved: unsaved.set,
    updates,
  });
  const confirm = createConfirmCall({ dialogs, logger });
  const gateway = openIpcGateway({
    electron,
    page: window,
    answers: {
      call: createServeCall({ started: agent.started, confirm, logger }),
      order: createServeOrder(orders, logger),
    },
    logger,
  });

  async function stopAll(): Promise<void> {
    updates.stop();
    gateway.close();
    desktop.stop();
    // A destroyed window tells nothing of its place, nor that it closes
    await place.settle();
    window.destroy();
    await agent.stop();
    thumbnails.stop();
    await log.flush();
  }

  await window.open({ isHidden: wish.isHidden || loginItem.wasUsed() });
  await laterStarts.take({ ...wish, isHidden: true });
  const running = await agent.started;
  if (!running.ok) return tellStartFailure(running.error, { app, dialogs });
  updates.start();
}

/** A policy that cannot be read ends the app; until then nothing is loaded. */
async function updatePolicy(policy: ReturnType<typeof readPolicy>): Promise<UpdatePolicy> {
  const read = await policy;
  return read.ok ? read.value.updates : { enabled: false, channel: 'stable' };
}

function findPages(): string {
  const pages = findBuiltPages();
  if (pages === undefined) throw new Error('The pages of the app are not built: npm run build');
  return pages;
}

/** The screens without bars and docks, the primary one first. */
function workAreas({ screen }: Pick<ElectronApi, 'screen'>) {
  const primary = screen.getPrimaryDisplay();
  const others = screen.getAllDisplays().filter(({ id }) => id !== primary.id);
  return [primary, ...others].map(({ workArea }) => workArea);
}
