import { breaksSeenBy } from './desktop-break.ts';

/** Mistakes that the specs of notifications and of text menus must notice. */
export const tellingBreaks = [
  ...breaksSeenBy('telling.spec.ts', [
    [
      'electron/desktop/tray/notifications.ts',
      'incidents.size === 1 && incidentId !== undefined',
      'incidentId !== undefined',
      'brings up the window alone',
    ],
    [
      'electron/desktop/tray/notifications.ts',
      'const GROUP_MS = 4_000;',
      'const GROUP_MS = 1;',
      'brings up the window alone',
    ],
    [
      'electron/desktop/tray/notifications.ts',
      "    if (incidentId !== undefined) window.tell({ kind: 'showIncident', incidentId });\n",
      '',
      'a click leads to the incident',
    ],
    [
      'electron/desktop/tray/notifications.ts',
      " || (news.kind === 'finished' && !choice.get().notifyFinished)",
      '',
      'finished incidents are told',
    ],
    [
      'electron/desktop/tray/notifications.ts',
      "say('news.finished', { count: incidents })",
      "say('news.finished', { count: 1 })",
      'finished incidents are told',
    ],
    ['electron/agent/queue/circuits.ts', 'if (before === undefined || isOther) say(', 'say(', 'is told once'],
    [
      'electron/desktop/tray/notifications.ts',
      "recovery !== 'manual' ||",
      "recovery === 'manual' ||",
      'is told once',
    ],
    [
      'electron/desktop/window/main-window.ts',
      'isFocused: () => current?.isFocused() === true',
      'isFocused: () => current !== undefined',
      'hidden in the tray',
    ],
    [
      'electron/desktop/tray/notifications.ts',
      '          if (policyOf(event.code).isKnown === true) return undefined;\n',
      '',
      'cancelled is no news',
    ],
    [
      'shared/lib/visible-name.ts',
      'part.replace(hidden, signOf)',
      'part.replace(/[\\u0000]/g, signOf)',
      'shows what hides',
    ],
  ]),
  ...breaksSeenBy('text-menu.spec.ts', [
    [
      'electron/desktop/window/app-menu.ts',
      'cut: isEditable && editFlags.canCut',
      'cut: isEditable',
      'cut, copy and paste',
    ],
    [
      'electron/desktop/window/app-menu.ts',
      "isEditable || role === 'copy'",
      "isEditable || role !== 'cut'",
      'cannot be changed',
    ],
    [
      'electron/desktop/window/app-menu.ts',
      "  if (!isEditable && selectionText.trim() === '') return [];\n",
      '',
      'cannot be changed',
    ],
    [
      'renderer/app/follow-desktop.ts',
      'return [...ofPage, ...ofTexts];',
      'return ofTexts.length > 9 ? ofTexts : ofPage;',
      'speak the language',
    ],
  ]),
];
