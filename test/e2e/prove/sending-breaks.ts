import { breaksSeenBy } from './desktop-break.ts';

/** Mistakes that the specs of opening, sending and later starts must notice. */
export const sendingBreaks = [
  ...breaksSeenBy('sending.spec.ts', [
    [
      'electron/preload.ts',
      'pathsOf: (files) => files.flatMap(pathOf)',
      'pathsOf: (files) => files.flatMap(pathOf).slice(9)',
      'drops an export folder',
    ],
    [
      'electron/desktop/tray/notifications.ts',
      '      forget();\n      onClick();',
      '      forget();',
      'looks elsewhere',
    ],
    [
      'electron/desktop/tray/notifications.ts',
      'window.isFocused() ? [] : groupNews(collected, say)',
      'groupNews(collected, say)',
      'who looks at the window',
    ],
    ['electron/desktop/desktop-commands.ts', '      deps.showInFolder(located.value);\n', '', 'file manager'],
    [
      'electron/desktop/desktop-commands.ts',
      'if (!located.ok) return located;',
      'if (!located.ok) return (deps.showInFolder(clipId), done);',
      'file manager',
    ],
    [
      'electron/desktop/open-desktop.ts',
      "runCommand(agent, 'uploads.pause', poll",
      "order(agent, 'uploads.resume', poll",
      'the tray says',
    ],
    [
      'electron/desktop/tray/tray.ts',
      "parts.length === 0 ? say('tray.allSent')",
      "parts.length === 9 ? say('tray.allSent')",
      'the tray says',
    ],
  ]),
  ...breaksSeenBy('starting-again.spec.ts', [
    [
      'electron/desktop/start-requests.ts',
      '    if (!isHidden) window.bringToFront();\n',
      '',
      'a second start brings',
    ],
    [
      'electron/desktop/start-requests.ts',
      "    if (paths.length > 0) window.tell({ kind: 'addFolders', paths });\n",
      '',
      'a second start brings',
    ],
    [
      'electron/desktop/start-app.ts',
      '  await startRequests.take({ ...wish, isHidden: true });\n',
      '',
      'was started with',
    ],
    [
      'electron/desktop/start-requests.ts',
      "app.on('open-url', (event, url)",
      "app.on('open-url', (event, { length: url = '' }: { length: never })",
      'a link opens',
    ],
    [
      'electron/desktop/start-requests.ts',
      "    if (incidentId !== undefined) window.tell({ kind: 'showIncident', incidentId });\n",
      '',
      'a link opens',
    ],
    [
      'electron/desktop/start-requests.ts',
      'return incidentId === undefined ? undefined : { incidentId };',
      "return { incidentId: incidentId ?? '00000000-0000-5000-8000-000000000000' };",
      'asks for anything else',
    ],
  ]),
  ...breaksSeenBy('opening.spec.ts', [
    [
      'electron/desktop/window/main-window.ts',
      '      if (isWanted) window.show();\n',
      '',
      'sees the empty queue',
    ],
    [
      'electron/preload.ts',
      "contextBridge.exposeInMainWorld('desktop', desktop);",
      "contextBridge.exposeInMainWorld('desktop', desktop);\ncontextBridge.exposeInMainWorld('electron', { version: '1' });",
      'functions of the bridge',
    ],
    [
      'electron/agent/calls/create-calls.ts',
      'return err(unknownCall);',
      'return ok({});',
      'the agent answers',
    ],
    [
      'electron/agent/calls/create-calls.ts',
      'if (!given.success) return err(refusedInput(given.error));',
      'if (!given.success) return err(unknownCall);',
      'the agent answers',
    ],
    [
      'renderer/features/onboarding/first-run.tsx',
      '  if (step === undefined && missing !== undefined) setStep(missing);\n',
      '',
      'first settings',
    ],
  ]),
];
