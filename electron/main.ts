import { homedir } from 'node:os';
import { join } from 'node:path';
import { nativeImage, shell } from 'electron/common';
import {
  app,
  BrowserWindow,
  dialog,
  ipcMain,
  Menu,
  nativeTheme,
  Notification,
  powerMonitor,
  powerSaveBlocker,
  protocol,
  safeStorage,
  screen,
  session,
  Tray,
} from 'electron/main';
import { enlargeThreadPool, forbidCoreDumps, harden, refuseDebugger, settleTimeZone } from './agent/index.ts';
import { createNativeWords } from '../shared/words/native-words.ts';
import { accountFolder, fixPlaces } from './desktop/start-requests.ts';
import { CHOICE_FILE, readChoicesNow } from './desktop/choice-store.ts';
import { appScheme } from './desktop/security/app-protocol.ts';
import { refuseDangerousStart, reportRefusedStart } from './desktop/security/dangerous-switches.ts';
import { startApp } from './desktop/start-app.ts';
import { ownAppImage } from './desktop/updates/app-image.ts';

/**
 * Most roots that settings can have: the thread pool is created before they are read. A waiting thread costs nothing.
 */
const MOST_ROOTS = 64;
const EXIT_FAULT = 1;

/** Starts the desktop app. No crash reports or core dumps, because memory contains the key. */
function main(): void {
  refuseDebugger(process);
  enlargeThreadPool(process.env, MOST_ROOTS);
  harden();
  const ignored = settleTimeZone(process.env);
  if (ignored !== undefined) process.stderr.write(`${ignored}\n`);
  const { platform, env: environment } = process;
  const refused = refuseDangerousStart({
    args: process.argv.slice(1),
    isPackaged: app.isPackaged,
    platform,
    isAppImage: ownAppImage(process) !== undefined,
  });
  if (refused !== undefined) {
    const words = createNativeWords();
    words.speak(readChoicesNow(join(accountFolder(app), CHOICE_FILE)).language);
    reportRefusedStart(refused, { platform, environment, dialog, say: words.say });
    return app.exit(refused.exitCode);
  }
  void forbidCoreDumps(process);
  app.enableSandbox();
  protocol.registerSchemesAsPrivileged([appScheme]);
  const places = fixPlaces(app, { platform, environment, homeDir: homedir() });
  // The first instance gets the arguments of this one
  if (!app.requestSingleInstanceLock()) return app.exit();
  startApp(
    {
      app,
      BrowserWindow,
      dialog,
      ipcMain,
      Menu,
      nativeImage,
      nativeTheme,
      Notification,
      powerMonitor,
      powerSaveBlocker,
      protocol,
      safeStorage,
      screen,
      session,
      shell,
      Tray,
    },
    places,
  ).catch((error: unknown) => {
    process.stderr.write(`Internal error: ${error instanceof Error ? error.message : 'unknown'}\n`);
    app.exit(EXIT_FAULT);
  });
}

main();
