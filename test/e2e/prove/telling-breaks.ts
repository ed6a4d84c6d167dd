import { breaksSeenBy } from './desktop-break.ts';

/** What the specs of notifications and menus of texts must notice. */
export const tellingBreaks = [
  ...breaksSeenBy('telling.spec.ts', [
    [
      'electron/shell/group-news.ts',
      'incidents.size === 1 && incidentId !== undefined',
      'incidentId !== undefined',
      'brings up the window alone',
    ],
    [
      'electron/shell/notifications.ts',
      'const GROUP_MS = 4_000;',
      'const GROUP_MS = 1;',
      'brings up the window alone',
    ],
    [
      'electron/shell/notifications.ts',
      "    if (incidentId !== undefined) window.tell({ kind: 'showIncident', incidentId });\n",
      '',
      'a click leads to the incident',
    ],
    [
      'electron/shell/notifications.ts',
      " || (news.kind === 'finished' && !choice.get().notifyFinished)",
      '',
      'finished incidents are told',
    ],
    [
      'electron/shell/group-news.ts',
      '`${incidents} incidents are sent`',
      '`Incidents are sent`',
      'finished incidents are told',
    ],
    [
      'electron/agent/queue/circuits.ts',
      "times === 1 || before.kind === 'running' || before.failure.code !== code",
      'times > 0',
      'is told once',
    ],
    ['electron/shell/pick-news.ts', "mends !== 'person' ||", "mends === 'person' ||", 'is told once'],
    [
      'electron/shell/main-window.ts',
      'isFocused: () => current?.isFocused() === true',
      'isFocused: () => current !== undefined',
      'hidden in the tray',
    ],
    [
      'electron/shell/pick-news.ts',
      '          if (policyOf(event.code).isKnown === true) return undefined;\n',
      '',
      'cancelled is no news',
    ],
    [
      'shared/lib/visible-name.ts',
      'return name.replace(hidden, (',
      'return name.replace(/[\\u0000]/g, (',
      'shows what hides',
    ],
  ]),
  ...breaksSeenBy('text-menu.spec.ts', [
    [
      'electron/shell/app-menu.ts',
      'cut: isEditable && editFlags.canCut',
      'cut: isEditable',
      'cut, copy and paste',
    ],
    [
      'electron/shell/app-menu.ts',
      "isEditable || role === 'copy'",
      "isEditable || role !== 'cut'",
      'cannot be changed',
    ],
    [
      'electron/shell/app-menu.ts',
      "  if (!isEditable && selectionText.trim() === '') return [];\n",
      '',
      'cannot be changed',
    ],
    [
      'renderer/app/follow-desktop.ts',
      'return [...ofPage, ...ofTexts];',
      'return ofTexts.length > 9 ? ofTexts : ofPage;',
      'speaks the language',
    ],
  ]),
];
