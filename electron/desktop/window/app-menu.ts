import type { MenuItemConstructorOptions } from 'electron/main';
import type { HelpPage, MenuCommand } from '../../../shared/ipc/desktop.ts';
import type { nativeStrings, Say } from '../../../shared/words/native-words.ts';

type Items = readonly MenuItemConstructorOptions[];

interface Deps {
  readonly platform: NodeJS.Platform;
  readonly commands: readonly MenuCommand[];
  readonly onCommand: (id: string) => void;
  readonly onHelp: (page: HelpPage) => void;
  readonly onQuit: () => void;
  readonly say: Say;
}

const separator: MenuItemConstructorOptions = { type: 'separator' };

/** Prefixes of the commands that have a menu, in the order of the menu bar. */
const prefixes = ['go', 'view', 'uploads', 'periods', 'compose', 'users', 'settings', 'health'] as const;

/**
 * The application menu: the page's current commands, grouped by their prefix, and what every app has. Commands without
 * a prefix or with an unknown one are left out. Shortcuts are only shown: when pressed, the page handles them.
 */
export function appMenu(deps: Deps): Items {
  const { platform, commands, say } = deps;
  const of = (prefix: string): Items =>
    commands.filter(({ id }) => id.startsWith(`${prefix}.`)).map((command) => commandItem(command, deps));
  const isMac = platform === 'darwin';
  const groups = prefixes.flatMap((prefix) => {
    const items = prefix === 'view' ? [...withLine(of('view')), ...roleItems(say, zoomRoles)] : of(prefix);
    return items.length === 0 ? [] : [menu(say(`menu.${prefix}`), items)];
  });
  return [
    menu(say('app'), isMac ? macAppItems(say, of('app')) : [...withLine(of('app')), quitItem(deps)]),
    { role: 'editMenu', label: say('menu.edit'), submenu: roleItems(say, editMenuRoles) },
    ...groups,
    {
      role: 'windowMenu',
      label: say('menu.window'),
      submenu: roleItems(say, isMac ? macWindowRoles : ['minimize', 'close']),
    },
    { role: 'help', label: say('menu.help'), submenu: helpItems(deps) },
  ];
}

/** Commands for text: the context menu uses their labels, and they have no menu of their own. */
const editRoles = ['cut', 'copy', 'paste', 'selectAll'] as const;

/** What the context menu knows about the place that was clicked. */
export interface ClickedText {
  readonly isEditable: boolean;
  readonly selectionText: string;
  readonly editFlags: {
    readonly canCut: boolean;
    readonly canCopy: boolean;
    readonly canPaste: boolean;
    readonly canSelectAll: boolean;
  };
}

/** The context menu of text: roles only. Empty where there is nothing to cut, copy or paste. */
export function contextMenu(
  { isEditable, selectionText, editFlags }: ClickedText,
  commands: readonly MenuCommand[],
): Items {
  if (!isEditable && selectionText.trim() === '') return [];
  const can = {
    cut: isEditable && editFlags.canCut,
    copy: editFlags.canCopy,
    paste: isEditable && editFlags.canPaste,
    selectAll: editFlags.canSelectAll,
  };
  return editRoles
    .filter((role) => isEditable || role === 'copy')
    .map((role) => {
      const label = commands.find(({ id }) => id === `edit.${role}`)?.label;
      return { role, enabled: can[role], ...(label !== undefined && { label }) };
    });
}

function commandItem(
  { id, label, isEnabled, accelerator }: MenuCommand,
  { onCommand }: Deps,
): MenuItemConstructorOptions {
  return {
    id,
    label,
    enabled: isEnabled,
    click: () => onCommand(id),
    // If it were registered here too, the command would run twice
    ...(accelerator !== undefined && { accelerator, registerAccelerator: false }),
  };
}

/** Items that the system carries out, with our labels: its own could be in another language than the page. */
type Role = keyof typeof nativeStrings.role;
const editMenuRoles = ['undo', 'redo', 'line', 'cut', 'copy', 'paste', 'selectAll'] as const;
const zoomRoles = ['resetZoom', 'zoomIn', 'zoomOut', 'line', 'togglefullscreen'] as const;
const macWindowRoles = ['close', 'minimize', 'zoom', 'line', 'front'] as const;

const roleItems = (say: Say, roles: readonly (Role | 'line')[]): MenuItemConstructorOptions[] =>
  roles.map((role) => (role === 'line' ? separator : { role, label: say(`role.${role}`) }));

const macAppItems = (say: Say, items: Items): Items => [
  ...roleItems(say, ['about', 'line']),
  ...withLine(items),
  ...roleItems(say, ['services', 'line', 'hide', 'hideOthers', 'unhide', 'line', 'quit']),
];

const quitItem = ({ onQuit, say }: Deps): MenuItemConstructorOptions => ({
  label: say('menu.quit'),
  accelerator: 'Ctrl+Q',
  click: onQuit,
});

function helpItems({ onHelp, say }: Deps): MenuItemConstructorOptions[] {
  const pages: readonly HelpPage[] = ['readme', 'operations', 'changelog', 'licences'];
  return pages.map((page) => ({ label: say(`menu.${page}`), click: () => onHelp(page) }));
}

const menu = (label: string, items: Items): MenuItemConstructorOptions => ({ label, submenu: [...items] });
const withLine = (items: Items): Items => (items.length === 0 ? [] : [...items, separator]);

/** Opens an address in the system's browser. */
interface Browser {
  openExternal(url: string): Promise<void>;
}

const PROJECT = 'https://vms-export-agent.example/docs/';

/** Every address that this app opens in a browser. A page chooses one by its name and can add nothing to it. */
export const helpAddresses = {
  readme: `${PROJECT}readme`,
  operations: `${PROJECT}operations`,
  changelog: `${PROJECT}changelog`,
  licences: `${PROJECT}licences`,
} as const satisfies Readonly<Record<HelpPage, `https://${string}`>>;

/** Opens a help page; the only way from this app to a browser. Rejects when the system has none. */
export function openHelpPage(browser: Browser, page: HelpPage): Promise<void> {
  return browser.openExternal(helpAddresses[page]);
}
