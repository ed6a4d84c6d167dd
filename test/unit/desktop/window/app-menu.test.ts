import type { MenuItemConstructorOptions } from 'electron/main';
import { describe, expect, it } from 'vitest';
import { appMenu, contextMenu } from '../../../../electron/desktop/window/app-menu.ts';
import type { MenuCommand } from '../../../../shared/ipc/desktop.ts';
import { say } from '../../../helpers/desk-tools.ts';

const command = (id: string, change: Partial<MenuCommand> = {}): MenuCommand => ({
  id,
  label: `Do ${id}`,
  isEnabled: true,
  ...change,
});

function menuOf(platform: NodeJS.Platform, commands: readonly MenuCommand[] = []) {
  const given: string[] = [];
  const items = appMenu({
    say,
    platform,
    commands,
    onCommand: (id) => void given.push(id),
    onHelp: (page) => void given.push(`help ${page}`),
    onQuit: () => void given.push('quit'),
  });
  const submenuOf = (label: string): readonly MenuItemConstructorOptions[] => {
    const found = items.find((item) => item.label === label || item.role === label)?.submenu;
    return Array.isArray(found) ? found : [];
  };
  return { items, given, submenuOf };
}
const namesOf = (items: readonly MenuItemConstructorOptions[]) =>
  items.map(({ label, role, type }) => label ?? role ?? type);
const click = (item: MenuItemConstructorOptions | undefined): void => {
  Reflect.apply(item?.click ?? (() => undefined), undefined, []);
};

const all = [
  command('go.uploads'),
  command('uploads.add', { accelerator: 'CommandOrControl+O' }),
  command('uploads.retry', { isEnabled: false }),
  command('view.theme'),
  command('app.palette'),
  command('edit.copy'),
  command('stranger.thing'),
  command('constructor'),
];

describe('the application menu', () => {
  it('groups what the page can do, and leaves out what has no place', () => {
    const { items, submenuOf } = menuOf('linux', all);
    expect(namesOf(items)).toEqual(['VMS Export Agent', 'Edit', 'Go', 'View', 'Uploads', 'Window', 'Help']);
    expect(namesOf(submenuOf('Uploads'))).toEqual(['Do uploads.add', 'Do uploads.retry']);
    expect(JSON.stringify(items)).not.toMatch(/stranger|Do edit|Do constructor/);
  });

  it('gives a command back to the page, once: its key is shown and not registered', () => {
    const { submenuOf, given } = menuOf('win32', all);
    const [add, retry] = submenuOf('Uploads');
    expect(add).toMatchObject({
      accelerator: 'CommandOrControl+O',
      registerAccelerator: false,
      enabled: true,
    });
    expect(retry).toMatchObject({ enabled: false });
    click(add);
    expect(given).toEqual(['uploads.add']);
  });

  it('stands without a page: editing, windows, help and the end', () => {
    const { items, submenuOf, given } = menuOf('linux');
    expect(namesOf(items)).toEqual(['VMS Export Agent', 'Edit', 'View', 'Window', 'Help']);
    click(submenuOf('VMS Export Agent').at(-1));
    click(submenuOf('help')[0]);
    expect(given).toEqual(['quit', 'help readme']);
  });

  it('is the usual one of a Mac there', () => {
    expect(namesOf(menuOf('darwin', all).submenuOf('VMS Export Agent'))).toEqual([
      'About VMS Export Agent',
      'separator',
      'Do app.palette',
      'separator',
      'Services',
      'separator',
      'Hide VMS Export Agent',
      'Hide Others',
      'Show All',
      'separator',
      'Quit VMS Export Agent',
    ]);
  });

  it('never offers to reload the page or to open its tools', () => {
    for (const platform of ['linux', 'win32', 'darwin'] as const)
      expect(JSON.stringify(menuOf(platform, all).items)).not.toMatch(/reload|devtools/i);
  });
});

describe('the context menu', () => {
  const editFlags = { canCut: true, canCopy: true, canPaste: true, canSelectAll: true };
  it.each([
    ['a field', { isEditable: true, selectionText: '' }, ['cut', 'copy', 'paste', 'selectAll']],
    ['chosen text', { isEditable: false, selectionText: 'KEY_REFUSED' }, ['copy']],
    ['nothing', { isEditable: false, selectionText: '' }, []],
    ['white space', { isEditable: false, selectionText: ' \n' }, []],
  ])('of %s has only roles', (_name, clicked, roles) => {
    const items = contextMenu({ ...clicked, editFlags }, []);
    expect(items.map(({ role }) => role)).toEqual(roles);
    expect(items.every(({ click: action }) => action === undefined)).toBe(true);
  });

  it('offers what can be done there, in the words of the page', () => {
    const flags = { ...editFlags, canCut: false, canCopy: false };
    const clicked = { isEditable: true, selectionText: '', editFlags: flags };
    const items = contextMenu(clicked, [command('edit.paste', { label: 'Einfügen' })]);
    expect(items.map(({ role, enabled, label }) => [role, enabled, label])).toEqual([
      ['cut', false, undefined],
      ['copy', false, undefined],
      ['paste', true, 'Einfügen'],
      ['selectAll', true, undefined],
    ]);
  });
});
