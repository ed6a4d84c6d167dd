import { breaksSeenBy } from './desktop-break.ts';

/** Mistakes that the specs of the log and of the machine must notice. */
export const logBreaks = [
  ...breaksSeenBy('log.spec.ts', [
    [
      'electron/desktop/desk-agent.ts',
      'homeDir: homedir()',
      "homeDir: '/nowhere'",
      'support reads what the app did from its start to its end, without key, signatures and home folder',
    ],
    [
      'electron/desktop/log.ts',
      'await appendFile(file, text, { mode: 0o600 });',
      'await appendFile(file, text);',
      'support reads what the app did from its start to its end, without key, signatures and home folder',
    ],
    [
      'electron/desktop/quitting/quit-app.ts',
      "    logger.info('The app was asked to quit', { cause });\n",
      '',
      'support reads what the app did from its start to its end, without key, signatures and home folder',
    ],
    [
      'electron/desktop/log.ts',
      'logger[level](line, { ...rest, reason });',
      'logger[level](line);',
      'support reads what the app did from its start to its end, without key, signatures and home folder',
    ],
    [
      'electron/desktop/open-desktop.ts',
      'const endLog = logEvents(agent.events, logger);',
      "const endLog = (): void => logger.debug('');",
      'that of an app that was killed goes on whole',
    ],
    [
      'electron/desktop/log.ts',
      'if (sizeBytes > 0 && sizeBytes + bytes > fileBytes) await turnOver();',
      'if (sizeBytes > 0 && bytes > 0) await turnOver();',
      'that of an app that was killed goes on whole',
    ],
    [
      'electron/agent/log/create-logger.ts',
      'return escapeSteering(JSON.stringify({ at, level, message, ...Object.fromEntries(safe) }));',
      'return JSON.stringify({ at, level, message, ...Object.fromEntries(safe) });',
      'names of exports forge no line of the log',
    ],
  ]),
  ...breaksSeenBy('machine.spec.ts', [
    [
      'electron/desktop/open-desktop.ts',
      "  powerMonitor.on('resume', () => {",
      "  (powerMonitor as any).on('lock-screen', () => sleep(agent.suspend()));\n  powerMonitor.on('resume', () => {",
      'clips go on as ever',
    ],
    [
      'electron/desktop/open-desktop.ts',
      "  powerMonitor.on('resume', () => {",
      "  (powerMonitor as any).on('on-battery', () => letSleep());\n  (powerMonitor as any).on('lock-screen', () => (blocker = -1));\n  powerMonitor.on('resume', () => {",
      'clips go on as ever',
    ],
  ]),
];
