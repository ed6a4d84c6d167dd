import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  catalogue,
  type CommandId,
  createCommandRegistry,
  PATIENCE_MS,
  runAnywhere,
  acceleratorOf,
  matchesChord,
  parseChord,
  showChord,
  type KeyPress,
} from '../../../../renderer/commands/command-registry.ts';
import { commonStrings } from '../../../../renderer/i18n/create-i18n.ts';

const key = (text: string, held = {}) => ({
  key: text,
  code: '',
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  shiftKey: false,
  ...held,
});

describe('the commands', () => {
  it('run what was registered last, and the one before when that is gone', () => {
    const registry = createCommandRegistry(false);
    const [first, second] = [vi.fn<() => void>(), vi.fn<() => void>()];
    registry.register({ id: 'uploads.retry', isEnabled: true, run: first });
    const remove = registry.register({ id: 'uploads.retry', isEnabled: true, run: second });
    registry.run('uploads.retry');
    remove();
    registry.run('uploads.retry');
    expect([first.mock.calls.length, second.mock.calls.length]).toEqual([1, 1]);
  });

  it('leave alone what is not enabled', () => {
    const registry = createCommandRegistry(false);
    const run = vi.fn<() => void>();
    registry.register({ id: 'uploads.retry', isEnabled: false, run });
    expect(registry.press(key('r'), false)).toBe(false);
    expect(run).not.toHaveBeenCalled();
  });

  it('leave what cannot be given to who gave it before: a message that is held, then a notice', () => {
    const registry = createCommandRegistry(false);
    const run = vi.fn<() => void>();
    registry.register({ id: 'app.undo', isEnabled: true, run });
    registry.register({ id: 'app.undo', isEnabled: false, run: () => expect.unreachable() });
    expect(registry.press(key('z', { ctrlKey: true }), false)).toBe(true);
    expect(run).toHaveBeenCalledOnce();
  });

  it('leave single letters to whoever types', () => {
    const registry = createCommandRegistry(false);
    const [retry, palette] = [vi.fn<() => void>(), vi.fn<() => void>()];
    registry.register({ id: 'uploads.retry', isEnabled: true, run: retry });
    registry.register({ id: 'app.palette', isEnabled: true, run: palette });
    expect(registry.press(key('r'), true)).toBe(false);
    expect(registry.press(key('k', { ctrlKey: true }), true)).toBe(true);
    expect(registry.press(key('r'), false)).toBe(true);
  });

  it('have words each, and no key twice on one screen', () => {
    const words: Readonly<Record<string, string>> = commonStrings.command;
    expect(catalogue.filter(({ id }) => words[id] === undefined)).toEqual([]);
    const everywhere = ['go', 'app', 'view'];
    for (const { id, group, keys } of catalogue) {
      const rivals = catalogue.filter(
        (other) =>
          other.id !== id &&
          (other.group === group || everywhere.includes(other.group) || everywhere.includes(group)) &&
          other.keys.some((each: string) => keys.some((own: string) => own === each)),
      );
      expect(rivals).toEqual([]);
    }
  });
});

function start() {
  const registry = createCommandRegistry(false);
  const ran: CommandId[] = [];
  const give = (id: CommandId, run = (): void => undefined) =>
    registry.register({
      id,
      isEnabled: true,
      run() {
        ran.push(id);
        run();
      },
    });
  return { registry, ran, give };
}

beforeEach(() => void vi.useFakeTimers());

afterEach(() => void vi.useRealTimers());

describe('a command from a native menu', () => {
  it('runs at once where it can be given', () => {
    const { registry, ran, give } = start();
    give('go.uploads');
    give('uploads.add');
    runAnywhere(registry, 'uploads.add');
    expect(ran).toEqual(['uploads.add']);
  });

  it('leads to its screen, and runs once when that has come up', () => {
    const { registry, ran, give } = start();
    give('go.uploads', () => void setTimeout(() => give('uploads.add'), 100));
    runAnywhere(registry, 'uploads.add');
    vi.advanceTimersByTime(200);
    give('uploads.add');
    expect(ran).toEqual(['go.uploads', 'uploads.add']);
  });

  it('waits for a page that is still loading', () => {
    const { registry, ran, give } = start();
    runAnywhere(registry, 'uploads.add');
    give('app.refresh');
    give('go.uploads');
    give('uploads.add');
    expect(ran).toEqual(['go.uploads', 'uploads.add']);
  });

  it('is given up when it cannot be given within five seconds, or when another comes', () => {
    const { registry, ran, give } = start();
    give('go.uploads');
    runAnywhere(registry, 'uploads.retryAll');
    runAnywhere(registry, 'uploads.retry')();
    vi.advanceTimersByTime(PATIENCE_MS);
    give('uploads.retryAll');
    give('uploads.retry');
    expect(ran).toEqual(['go.uploads', 'go.uploads']);
  });
});

const press = (key: string, held: Partial<KeyPress> = {}): KeyPress => ({
  key,
  code: /^[a-z]$/i.test(key) ? `Key${key.toUpperCase()}` : '',
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  shiftKey: false,
  ...held,
});
const matches = (chord: string, pressed: KeyPress, isMac = false) =>
  matchesChord(parseChord(chord), pressed, isMac);

describe('a chord', () => {
  it.each([
    ['Mod+K', press('k', { ctrlKey: true }), true],
    ['Mod+K', press('k'), false],
    ['Mod+K', press('k', { ctrlKey: true, shiftKey: true }), false],
    ['Mod+K', press('k', { ctrlKey: true, altKey: true }), false],
    ['Mod+1', press('1', { ctrlKey: true }), true],
    ['R', press('r'), true],
    ['R', press('R', { shiftKey: true }), false],
    ['Shift+R', press('R', { shiftKey: true }), true],
    ['Alt+L', press('l', { altKey: true }), true],
    ['Alt+L', press('¬', { altKey: true, code: 'KeyL' }), true],
    ['?', press('?', { shiftKey: true }), true],
    ['?', press('?'), true],
    ['/', press('/'), true],
    ['/', press('/', { shiftKey: true }), true],
    ['F5', press('F5'), true],
    ['Mod+Enter', press('Enter', { ctrlKey: true }), true],
    ['Mod+Enter', press('Enter'), false],
  ])('%s fits %o: %s', (chord, pressed, expected) => {
    expect(matches(chord, pressed)).toBe(expected);
  });

  it('has Command for Ctrl on a Mac, and not both', () => {
    expect(matches('Mod+K', press('k', { metaKey: true }), true)).toBe(true);
    expect(matches('Mod+K', press('k', { ctrlKey: true }), true)).toBe(false);
    expect(matches('Mod+K', press('k', { ctrlKey: true, metaKey: true }), true)).toBe(false);
  });

  it('is shown as it stands on the keys', () => {
    expect(showChord('Mod+Shift+K', false)).toBe('Ctrl+Shift+K');
    expect(showChord('Mod+Shift+K', true)).toBe('⌘⇧K');
    expect(showChord('Alt+L', true)).toBe('⌥L');
  });
});

it.each([
  ['Mod+1', 'CommandOrControl+1'],
  ['Mod+Enter', 'CommandOrControl+Enter'],
  ['Mod+Shift+K', 'CommandOrControl+Shift+K'],
  ['Alt+L', 'Alt+L'],
  ['F5', 'F5'],
])('%s stands in a native menu as %s', (chord, accelerator) => {
  expect(acceleratorOf(chord)).toBe(accelerator);
});

it.each(['R', 'Shift+R', '?', '/'])('%s is typed too, so no menu takes it', (chord) => {
  expect(acceleratorOf(chord)).toBeUndefined();
});

it('no two commands have the same one', () => {
  const all = catalogue.flatMap(({ keys }) => keys.map((key: string) => acceleratorOf(key)));
  const known = all.filter((each) => each !== undefined);
  expect(new Set(known).size).toBe(known.length);
});
