import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  catalogue,
  type CommandId,
  createCommandRegistry,
  PATIENCE_MS,
  runAnywhere,
} from '../../../../renderer/commands/command-registry.ts';
import { commonStrings } from '../../../../renderer/i18n/common-strings.ts';

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
