import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { publishMenu, SETTLE_MS } from '../../../../renderer/app/follow-desktop.ts';
import { createDesktopBridge } from '../../../../renderer/bridge/bridge.ts';
import { createCommandRegistry } from '../../../../renderer/commands/command-registry.ts';
import { createI18n } from '../../../../renderer/i18n/create-i18n.ts';
import type { MenuCommand } from '../../../../shared/ipc/desktop.ts';

const quiet = () => () => undefined;

async function start(answers: readonly unknown[] = []) {
  const menus: (readonly MenuCommand[])[] = [];
  const api = {
    call: async () => undefined,
    async order(request: { readonly input: { readonly commands: readonly MenuCommand[] } }) {
      menus.push(request.input.commands);
      return answers[menus.length - 1] ?? { ok: true, value: {} };
    },
    onSignal: quiet,
    onEvent: quiet,
    pathsOf: () => [],
  };
  const bridge = createDesktopBridge(api, { now: () => 0, monotonic: () => 0 });
  const commands = createCommandRegistry(false);
  const words = await createI18n('en');
  const stop = publishMenu({ bridge, commands }, words);
  const last = (id: string) => menus.at(-1)?.find((command) => command.id === id);
  return { commands, words, menus, last, stop };
}
const run = (): void => undefined;
const settle = () => vi.advanceTimersByTimeAsync(SETTLE_MS);

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('the native menu', () => {
  it('has every command in words, with the keys that are safe there, and knows which can be given', async () => {
    const { commands, last } = await start();
    commands.register({ id: 'app.refresh', isEnabled: true, run });
    commands.register({ id: 'uploads.retryAll', isEnabled: false, run });
    await settle();
    expect(last('app.refresh')).toEqual({
      id: 'app.refresh',
      label: 'Refresh',
      isEnabled: true,
      accelerator: 'F5',
    });
    expect(last('uploads.retryAll')).toEqual({
      id: 'uploads.retryAll',
      label: 'Retry all that can succeed',
      isEnabled: false,
    });
    expect(last('uploads.add')).toMatchObject({ isEnabled: true, accelerator: 'CommandOrControl+O' });
  });

  it('is told once for many changes, and not again when nothing differs', async () => {
    const { commands, menus } = await start();
    const remove = commands.register({ id: 'uploads.retry', isEnabled: true, run });
    commands.register({ id: 'uploads.pause', isEnabled: true, run });
    await settle();
    remove();
    commands.register({ id: 'uploads.retry', isEnabled: true, run });
    await settle();
    expect(menus).toHaveLength(1);
  });

  it('follows the language', async () => {
    const { words, last } = await start();
    await settle();
    await words.changeLanguage('en-XA');
    await settle();
    expect(last('go.uploads')?.label).toMatch(/^\[Gó tó Úplóádš~+\]$/);
  });

  it('gets the words for the menu of a text, which is no command of the page', async () => {
    const { words, last } = await start();
    await settle();
    expect(last('edit.selectAll')).toEqual({ id: 'edit.selectAll', label: 'Select all', isEnabled: true });
    await words.changeLanguage('en-XA');
    await settle();
    expect(last('edit.paste')?.label).toBe('[Pášté~~]');
  });

  it('is told again when it did not hear, and never after the end', async () => {
    const { commands, menus, stop } = await start(['no reply']);
    await settle();
    commands.register({ id: 'uploads.add', isEnabled: true, run });
    await settle();
    expect(menus).toHaveLength(2);
    commands.register({ id: 'uploads.retry', isEnabled: true, run });
    stop();
    await settle();
    expect(menus).toHaveLength(2);
  });
});
