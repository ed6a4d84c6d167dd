import { breaksSeenBy } from './desktop-break.ts';

/** Mistakes that the specs of quitting, of the end of the system and of the machine must notice. */
export const leavingBreaks = [
  ...breaksSeenBy('leaving.spec.ts', [
    [
      'electron/agent/upload/send-parts.ts',
      'if (deps.isEnding()) return cutShort;',
      'if (deps.isEnding() && number < 0) return cutShort;',
      'the piece may arrive',
    ],
    [
      'electron/desktop/quitting/quit-app.ts',
      'if (!hurry.signal.aborted) await drain();',
      'if (hurry.signal.aborted) await drain();',
      'the piece may arrive',
    ],
    [
      'electron/desktop/quitting/quit-app.ts',
      '.then(() => dialogs.offer(finishing(say), over.signal))',
      '.then(() => dialogs.offer(finishing(say), over.signal).then(() => new Promise<never>(() => undefined)))',
      'does not want to wait',
    ],
    [
      'electron/desktop/quitting/quit-app.ts',
      'const DRAIN_MS = 10_000;',
      'const DRAIN_MS = 5_000;',
      'waited for ten seconds',
    ],
    [
      'electron/desktop/quitting/quit-app.ts',
      "return choice.get().closeToTray ? hide() : quit.quit('person');",
      'return hide();',
      'chose that closing ends',
    ],
    [
      'electron/desktop/quitting/quit-app.ts',
      '      event.preventDefault();\n',
      '',
      'closes the window, and the app',
    ],
    [
      'electron/desktop/choice-store.ts',
      '      if (kept.wasToldOfTray) return false;\n',
      '',
      'closes the window, and the app',
    ],
    [
      'electron/desktop/quitting/quit-question.ts',
      'return left.clips === 0 ? undefined : left;',
      'return left;',
      'asked nothing',
    ],
    [
      'electron/desktop/quitting/quit-app.ts',
      'return answer !== KEEP_WORKING;',
      'return true;',
      'told what quitting',
    ],
    [
      'electron/desktop/quitting/quit-app.ts',
      'if (question === undefined) return true;',
      'if (question !== undefined) return true;\n    return true;',
      'told what quitting',
    ],
  ]),
  ...breaksSeenBy('ending.spec.ts', [
    [
      'electron/desktop/quitting/quit-app.ts',
      "    opened.on('session-end', () => void quit.quit('system'));\n",
      '',
      'signs out of Windows',
    ],
    [
      'electron/desktop/quitting/quit-app.ts',
      "powerMonitor.on('shutdown', (event)",
      "powerMonitor.on('shutdown', (event) => void event);\n  [].forEach((event?: { preventDefault(): void })",
      'the system shuts down',
    ],
    [
      'electron/desktop/quitting/quit-app.ts',
      "['SIGINT', 'SIGTERM', 'SIGHUP']",
      "['SIGINT', 'SIGHUP']",
      'told to end',
    ],
    [
      'electron/desktop/quitting/quit-app.ts',
      "if (cause === 'system') return end(last);",
      "if (cause === 'system' && state !== 'asking') return end(last);",
      'the system shuts down',
    ],
    [
      'electron/desktop/quitting/quit-app.ts',
      'Promise.race([agent?.drain(), showing, hurried])',
      'Promise.race([agent?.drain(), showing])',
      'signs out of Windows',
    ],
    [
      'electron/agent/upload/send-parts.ts',
      'new Set(rows.map((row) => row.number))',
      'new Set<number>()',
      'told to end',
    ],
  ]),
  ...breaksSeenBy('machine.spec.ts', [
    ['electron/desktop/open-desktop.ts', '    sleep(agent.resume());\n', '', 'sleeps and wakes'],
    ['electron/desktop/open-desktop.ts', '    sleep(agent.suspend());\n', '', 'sleeps and wakes'],
    ['electron/desktop/open-desktop.ts', '    letSleep();\n    sleep(', '    sleep(', 'sleeps and wakes'],
    [
      'electron/desktop/process-faults.ts',
      '    if (!window.isDestroyed()) window.webContents.reload();\n',
      '',
      'a page that crashed',
    ],
    [
      'electron/desktop/open-desktop.ts',
      "=> tell({ kind: 'command', id });",
      '=> window.bringToFront();',
      'the menu has',
    ],
    ['electron/desktop/window/app-menu.ts', "'https://vms", "'http://vms", 'the help opens'],
  ]),
];
