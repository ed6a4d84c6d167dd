import { EventEmitter } from 'node:events';
import type { DoubleOptions, MenuLine, TrayFacts } from './control.ts';
import { strict, strictClass } from './strict.ts';

/** Labels that Electron itself gives to menus with a role. */
const roleLabels: Readonly<Record<string, string>> = { editMenu: 'Edit', help: 'Help', windowMenu: 'Window' };

/** Accelerators as Electron's documentation lists them; Electron silently drops unknown ones. */
const ACCELERATOR =
  /^(?:(?:Command|Cmd|Control|Ctrl|CommandOrControl|CmdOrCtrl|Alt|Option|AltGr|Shift|Super|Meta)\+)*(?:[0-9A-Z!-/:-@[-`{-~]|F(?:[1-9]|1\d|2[0-4])|Plus|Space|Tab|Backspace|Delete|Insert|Return|Enter|Up|Down|Left|Right|Home|End|PageUp|PageDown|Escape|Esc)$/i;

function refuseAccelerator(accelerator: unknown): void {
  if (accelerator === undefined || (typeof accelerator === 'string' && ACCELERATOR.test(accelerator))) return;
  throw new Error(`Electron knows no accelerator ${JSON.stringify(accelerator)}.`);
}

type Template = readonly (Electron.MenuItemConstructorOptions | Electron.MenuItem)[];

export interface DoubleMenus {
  readonly Menu: typeof Electron.Menu;
  readonly Tray: typeof Electron.Tray;
  readonly applicationMenu: () => readonly MenuLine[];
  readonly clickApplicationMenu: (labels: readonly string[]) => void;
  readonly tray: () => TrayFacts | undefined;
  readonly clickTray: (label: string) => void;
  /** Context menus opened so far. */
  readonly popups: () => readonly (readonly MenuLine[])[];
}

interface OpenTray {
  toolTip: string;
  menu: Electron.Menu | undefined;
}

/** Actions of roles that Electron performs itself, on the focused window. */
export type RoleActions = Readonly<Record<string, () => void>>;

export function createMenus(
  focused: () => Electron.BrowserWindow | undefined,
  roles: RoleActions,
  { tray: place }: Pick<DoubleOptions, 'tray'>,
): DoubleMenus {
  let applicationMenu: Electron.Menu | null = null;
  const trays: OpenTray[] = [];
  const popups: (readonly MenuLine[])[] = [];

  function makeItem(options: Electron.MenuItemConstructorOptions): Electron.MenuItem {
    const { submenu } = options;
    refuseAccelerator(options.accelerator);
    const { role } = options;
    // Electron performs the role and never calls `click`
    if (role !== undefined && options.click !== undefined)
      throw new Error(`Electron calls no click of an item with the role ${role}.`);
    const type = options.type ?? (submenu === undefined ? 'normal' : 'submenu');
    const item: Electron.MenuItem = strict<Electron.MenuItem>('MenuItem', {
      id: options.id ?? '',
      label: options.label ?? roleLabels[role ?? ''] ?? '',
      type,
      ...(role !== undefined && { role: role as NonNullable<Electron.MenuItem['role']> }),
      enabled: options.enabled ?? true,
      visible: options.visible ?? true,
      checked: options.checked ?? false,
      accelerator: options.accelerator ?? '',
      ...(submenu !== undefined && {
        submenu: Array.isArray(submenu) ? makeMenu(submenu) : submenu,
      }),
      click: () => {
        if (!item.enabled) throw new Error(`The menu item "${item.label}" is disabled.`);
        if (type === 'checkbox') item.checked = !item.checked;
        if (role === undefined) return void options.click?.(item, focused(), {});
        const act = roles[role];
        if (act === undefined) throw new Error(`electron-double carries out no role ${role}.`);
        act();
      },
    });
    return item;
  }
  function makeMenu(template: Template): Electron.Menu {
    const items = template.map((entry) => makeItem(entry as Electron.MenuItemConstructorOptions));
    const menu: Electron.Menu = strict<Electron.Menu>(
      'Menu',
      {
        items,
        // Nothing is shown: a test reads what the app would show.
        popup: () => void popups.push(linesOf(menu)),
      },
      new EventEmitter(),
    );
    return menu;
  }
  const linesOf = (menu: Electron.Menu | null | undefined): readonly MenuLine[] =>
    (menu?.items ?? [])
      .filter(({ visible }) => visible)
      .map((item) => ({
        label: item.label,
        type: item.type,
        isEnabled: item.enabled,
        isChecked: item.checked,
        role: Object.hasOwn(item, 'role') ? (item.role ?? '') : '',
        accelerator: item.accelerator ?? '',
        submenu: item.type === 'submenu' ? linesOf(item.submenu) : [],
      }));
  function click(
    menu: Electron.Menu | null | undefined,
    fits: (label: string) => boolean,
  ): Electron.MenuItem {
    const item = menu?.items.find(({ label, visible }) => visible && fits(label));
    if (item === undefined)
      throw new Error(
        `No such item among: ${linesOf(menu)
          .map(({ label }) => label)
          .join(' | ')}`,
      );
    return item;
  }

  return {
    Menu: strictClass<typeof Electron.Menu>('Menu', () => makeMenu([]), {
      buildFromTemplate: makeMenu,
      setApplicationMenu: (menu) => void (applicationMenu = menu),
    }),
    Tray: strictClass<typeof Electron.Tray>('Tray', () => makeTray(trays), {}),
    applicationMenu: () => linesOf(applicationMenu),
    clickApplicationMenu(labels) {
      let menu: Electron.Menu | null | undefined = applicationMenu;
      let item: Electron.MenuItem | undefined;
      for (const label of labels) {
        item = click(menu, (known) => known.replaceAll('&', '') === label);
        menu = item.type === 'submenu' ? item.submenu : undefined;
      }
      if (item !== undefined) press(item);
    },
    tray() {
      if (place === 'nowhere') return undefined;
      const [tray] = trays;
      return tray && { toolTip: tray.toolTip, menu: linesOf(tray.menu) };
    },
    clickTray(label) {
      if (place === 'nowhere') throw new Error('Nobody sees the icon.');
      press(click(trays[0]?.menu, (known) => known.startsWith(label)));
    },
    popups: () => popups,
  };
}

/** Electron types `click` as any function. */
function press(item: Electron.MenuItem): void {
  (item.click as () => void)();
}

function makeTray(trays: OpenTray[]): Electron.Tray {
  const open: OpenTray = { toolTip: '', menu: undefined };
  trays.push(open);
  let isDestroyed = false;
  return strict<Electron.Tray>(
    'Tray',
    {
      setToolTip: (toolTip) => void (open.toolTip = toolTip),
      setContextMenu: (menu) => void (open.menu = menu ?? undefined),
      setImage: () => undefined,
      isDestroyed: () => isDestroyed,
      destroy() {
        isDestroyed = true;
        trays.splice(trays.indexOf(open), 1);
      },
    },
    new EventEmitter(),
  );
}
