import type { i18n } from 'i18next';
import type { DesktopEvent, MenuCommand, DesktopCommandInput } from '../../shared/ipc/desktop.ts';
import { assertNever } from '../../shared/lib/result.ts';
import { knownFields } from '../../shared/lib/known-fields.ts';
import { catalogue, type CommandId, runAnywhere, acceleratorOf } from '../commands/command-registry.ts';
import { desktopKey } from '../queries/use-call.ts';
import type { Services } from '../stores/services.ts';
import { isDialogOpen } from '../ui/dialog.tsx';
import type { Bridge } from '../bridge/bridge.ts';

/**
 * Passes desktop events to the stores that show them, until the returned function is called. Called before the page is
 * rendered: earlier events wait in the stores.
 */
export function followDesktop(services: Services, words: i18n): () => void {
  const { bridge, commands, notices, queries, arrivals } = services;
  let giveUp = (): void => undefined;

  function take(event: DesktopEvent): void {
    switch (event.kind) {
      case 'command':
        return runCommand(event.id);
      case 'showIncident':
        return arrivals.show({ kind: 'incident', incidentId: event.incidentId });
      case 'showFailed':
        return arrivals.show({ kind: 'failed' });
      case 'addFolders':
        return arrivals.addFolders(event.paths);
      case 'updateState':
        return void queries.setQueryData(desktopKey('update.state', {}), event.state);
      case 'selfTest':
        return void tryPage(bridge).then((found) => bridge.desktop?.order('selfTest.report', found));
      default:
        return assertNever(event);
    }
  }

  function runCommand(id: string): void {
    const command = catalogue.find((each) => each.id === id);
    if (command === undefined) return;
    giveUp();
    // Navigating away would discard an open form
    if (isDialogOpen()) notices.hint(words.t('frame.dialogFirst'));
    else giveUp = runAnywhere(commands, command.id);
  }

  const stop = bridge.desktop?.onEvent(take);
  return () => {
    giveUp();
    stop?.();
  };
}

/** Delay before the menu is sent, milliseconds: a new screen registers its commands one by one. */
export const SETTLE_MS = 150;

/** Commands that open their screen themselves (`runAnywhere`), so their menu items are always enabled. */
const fromAnywhere: ReadonlySet<CommandId> = new Set<CommandId>([
  'uploads.add',
  'uploads.pauseAll',
  'compose.text',
  'users.create',
  'users.import',
  'health.bundle',
]);

/** The commands of a text's context menu: the system runs them, the page supplies the labels. */
const textCommands = ['cut', 'copy', 'paste', 'selectAll'] as const;

/**
 * Sends the available commands, with labels and keys, to the native menu whenever they change; returns a stop function.
 */
export function publishMenu(
  { bridge: { desktop }, commands }: Pick<Services, 'bridge' | 'commands'>,
  words: i18n,
): () => void {
  if (desktop === undefined) return () => undefined;
  let sent = '';
  let timer: ReturnType<typeof setTimeout> | undefined;

  async function tell(): Promise<void> {
    timer = undefined;
    const menu = { commands: menuCommands(), language: words.language };
    const text = JSON.stringify(menu);
    if (text === sent) return;
    sent = text;
    const answer = await desktop?.order('menu.set', menu);
    // A failed update is sent again with the next change, even if that restores the previous menu
    if (answer?.ok !== true && sent === text) sent = '';
  }

  function menuCommands(): readonly MenuCommand[] {
    const { handlers } = commands.getState();
    const ofPage = catalogue.map(({ id, keys: [key] }) => ({
      id,
      label: words.t(`command.${id}`),
      isEnabled: fromAnywhere.has(id) || handlers.find((each) => each.id === id)?.isEnabled === true,
      ...knownFields({ accelerator: key === undefined ? undefined : acceleratorOf(key) }),
    }));
    const ofTexts = textCommands.map((id) => ({
      id: `edit.${id}`,
      label: words.t(`textMenu.${id}`),
      isEnabled: true,
    }));
    return [...ofPage, ...ofTexts];
  }

  const later = (): void => {
    timer ??= setTimeout(() => void tell(), SETTLE_MS);
  };
  later();
  const stopCommands = commands.subscribe(later);
  words.on('languageChanged', later);
  return () => {
    clearTimeout(timer);
    stopCommands();
    words.off('languageChanged', later);
  };
}

/** Video codecs to test, each in its most basic profile. */
const codecs = {
  'H.264': 'avc1.42E01E',
  'H.265': 'hev1.1.6.L93.B0',
  VP9: 'vp09.00.10.08',
  AV1: 'av01.0.04M.08',
} as const;

/** The page's part of a self-test: whether the agent answers, and which video codecs can be decoded. */
async function tryPage({ caller }: Pick<Bridge, 'caller'>): Promise<DesktopCommandInput<'selfTest.report'>> {
  const answer = await caller.call('health.get', {});
  const found = await Promise.all(
    Object.entries(codecs).map(async ([name, codec]) => `${name} ${(await isDecoded(codec)) ? 'yes' : 'no'}`),
  );
  return { ...(!answer.ok && { problem: answer.error.message.slice(0, 500) }), codecs: found.join(', ') };
}

async function isDecoded(codec: string): Promise<boolean> {
  try {
    const { supported } = await VideoDecoder.isConfigSupported({ codec, codedWidth: 640, codedHeight: 360 });
    return supported === true;
  } catch {
    return false;
  }
}
