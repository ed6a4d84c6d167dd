import type { i18n } from 'i18next';
import { assertNever } from '../../shared/lib/assert-never.ts';
import type { DesktopEvent } from '../../shared/ipc/desktop.ts';
import { catalogue } from '../commands/catalogue.ts';
import { runAnywhere } from '../commands/run-anywhere.ts';
import { desktopKey } from '../queries/use-desktop.ts';
import type { Services } from '../stores/services.ts';
import { isDialogOpen } from '../ui/dialog-open.ts';

/**
 * Takes what the desktop tells to where it is shown, until the answered function is called. Called before the page is
 * drawn: what comes meanwhile waits in the stores.
 */
export function followDesktop(services: Services, words: i18n): () => void {
  const { bridge, commands, notices, queries, arrivals } = services;
  let giveUp = (): void => undefined;

  function take(event: DesktopEvent): void {
    switch (event.kind) {
      case 'command':
        return order(event.id);
      case 'showIncident':
        return arrivals.show({ kind: 'incident', incidentId: event.incidentId });
      case 'showFailed':
        return arrivals.show({ kind: 'failed' });
      case 'addFolders':
        return arrivals.addFolders(event.paths);
      case 'updateState':
        return void queries.setQueryData(desktopKey('update.state', {}), event.state);
      default:
        return assertNever(event);
    }
  }

  function order(id: string): void {
    const command = catalogue.find((each) => each.id === id);
    if (command === undefined) return;
    giveUp();
    // A form that is open would be lost with the screen that it belongs to
    if (isDialogOpen()) notices.hint(words.t('frame.dialogFirst'));
    else giveUp = runAnywhere(commands, command.id);
  }

  const stop = bridge.desktop?.onEvent(take);
  return () => {
    giveUp();
    stop?.();
  };
}
