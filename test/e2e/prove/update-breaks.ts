import { breaksSeenBy } from './desktop-break.ts';

const UPDATES = 'electron/desktop/updates';

/** Mistakes that the specs of the updates must notice. */
export const updateBreaks = [
  ...breaksSeenBy('updates-refused.spec.ts', [
    [
      `${UPDATES}/verify-update.ts`,
      "url.protocol !== 'https:' || ",
      '',
      'a copy whose feed is on http has no updates, and its feed hears nothing',
    ],
    [
      `${UPDATES}/verify-update.ts`,
      'if (!isSignedBy(',
      'if (manifest === undefined && !isSignedBy(',
      'a release whose list is not right is not even loaded',
    ],
    [
      `${UPDATES}/open-updates.ts`,
      "redirect: 'error'",
      "redirect: 'follow'",
      'a release whose list is not right is not even loaded',
    ],
    [
      `${UPDATES}/verify-update.ts`,
      "hash.digest('base64') === meant.sha512",
      'meant.sha512.length > 0',
      'a file that is not the signed one is refused and deleted, and the right one is taken afterwards',
    ],
    [
      `${UPDATES}/updates.ts`,
      'if (file !== undefined) await rm(file, { force: true });',
      '',
      'a file that is not the signed one is refused and deleted, and the right one is taken afterwards',
      'a file that is changed between the check and the restart is not installed, and can be loaded again',
    ],
    [
      `${UPDATES}/open-updates.ts`,
      'autoUpdater.allowDowngrade = false',
      'autoUpdater.allowDowngrade = true',
      'a feed that offers nothing newer, or nothing that can be read, says which',
    ],
    [
      `${UPDATES}/updates.ts`,
      "      ready = undefined;\n      return enter({ kind: 'current'",
      "      return enter({ kind: 'current'",
      'an update that its feed takes back is not installed',
    ],
  ]),
  ...breaksSeenBy('updates.spec.ts', [
    [
      `${UPDATES}/verify-update.ts`,
      'if (!policy.enabled)',
      'if (policy.enabled === undefined)',
      'the page says so, and the feed hears nothing',
    ],
    [
      `${UPDATES}/open-updates.ts`,
      "channel === 'beta' ?",
      'platform === channel ?',
      'the lists of the beta are asked for, and the stable release beside it is not',
    ],
    [
      `${UPDATES}/open-updates.ts`,
      "autoUpdater.requestHeaders = { 'x-user-staging-id': '0' };",
      '',
      'an operator is offered a newer version, restarts, and has it in the place of the old one',
    ],
    [
      `${UPDATES}/open-updates.ts`,
      'if (comesBack) await startAppImage(appImage, app);',
      '',
      'an operator is offered a newer version, restarts, and has it in the place of the old one',
      'an operator whose disk does not take the new program has the old one back, and the log says why',
    ],
    [
      `${UPDATES}/open-updates.ts`,
      "platform === 'win32' || appImage !== undefined",
      "platform === 'win32'",
      'an operator quits, and it is installed without the app coming back',
    ],
    [
      'electron/desktop/quitting/quit-app.ts',
      'hurry.signal.aborted ? undefined : (last ?? lastStep())',
      'last ?? lastStep()',
      'when the PC is shut down nothing is installed',
    ],
    [
      `${UPDATES}/updates.ts`,
      "quit.quit('person'",
      "quit.quit('system'",
      'an operator is asked before an update ends the app, keeps working, then restarts',
    ],
    [
      'electron/desktop/quitting/quit-app.ts',
      'await deps.flushLog();',
      '',
      'an operator whose disk does not take the new program has the old one back, and the log says why',
    ],
    [
      `${UPDATES}/open-updates.ts`,
      'autoUpdater.autoDownload = false;',
      'autoUpdater.autoDownload = false;\n  autoUpdater.disableDifferentialDownload = true;',
      'of a large program only what differs is loaded, and it is whole all the same',
    ],
  ]),
];
