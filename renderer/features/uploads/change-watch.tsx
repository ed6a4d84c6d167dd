import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { isManaged } from '../../../shared/ipc/calls/settings.ts';
import type { WatchSettings } from '../../../shared/domain/settings.ts';
import type { ClipDetail } from '../../../shared/domain/upload-view.ts';
import { useCallMutation, useRead } from '../../queries/use-call.ts';
import { useServices } from '../../stores/services.ts';
import { Button } from '../../ui/button.tsx';

/**
 * Index of the watched folder that a folder is or lies in; -1 for none. Of nested ones, only the first listed is
 * watched.
 */
export function placeOf(folder: string, watch: readonly WatchSettings[]): number {
  return watch.findIndex(
    ({ path }) => folder === path || (folder.startsWith(path) && /^[\\/]/.test(folder.slice(path.length))),
  );
}

/**
 * A button that changes one setting of the watched folder containing `folder`; nothing if it may not be changed here.
 */
function ChangeWatch({
  folder,
  change,
  label,
  done,
}: {
  readonly folder: string;
  readonly change: Partial<Pick<WatchSettings, 'unit' | 'timeZone'>>;
  readonly label: string;
  /** Shown once the change is in use. */
  readonly done: string;
}): ReactNode {
  const { notices } = useServices();
  const { data: view } = useRead('settings.get', {});
  const apply = useCallMutation('settings.apply', {
    onDone: () => notices.show({ level: 'info', text: done }),
    onFailed: notices.failed,
  });
  const save = useCallMutation('settings.save', {
    onDone: () => apply.mutate({}),
    onFailed: notices.failed,
  });
  const watch = view?.settings.watch ?? [];
  const index = placeOf(folder, watch);
  const isLocked = Object.keys(change).some((field) =>
    isManaged(view?.managed ?? [], `watch[${index}].${field}`),
  );
  if (view?.file === undefined || index === -1 || isLocked) return null;
  const changed = watch.map((each, place) => (place === index ? { ...each, ...change } : each));
  return (
    <Button
      isDisabled={save.isPending || apply.isPending}
      onPress={() => save.mutate({ change: { watch: changed }, before: { watch } })}
    >
      {label}
    </Button>
  );
}

/** Sends each loose clip as a separate incident from now on. */
export function SendLoose({ folder }: { readonly folder: string }): ReactNode {
  const { t } = useTranslation();
  const { data: view } = useRead('settings.get', {});
  const watch = view?.settings.watch.find(({ path }) => path === folder);
  if (watch?.unit !== 'folder') return null;
  const [label, done] = [t('uploads.seen.sendLoose'), t('uploads.seen.looseSent')];
  return <ChangeWatch folder={folder} change={{ unit: 'file' }} label={label} done={done} />;
}

/** When another clock shows that the folder's zone is wrong, offers the zone that fits. */
export function UseZone({
  incidentId,
  origins,
}: {
  readonly incidentId: string;
  readonly origins: ClipDetail['origins'];
}): ReactNode {
  const { t } = useTranslation();
  const zone = origins.find((origin) => origin.zone !== undefined)?.zone;
  const { data } = useRead('uploads.getIncident', { incidentId }, { isEnabled: zone !== undefined });
  if (zone === undefined || data?.row.id !== incidentId) return null;
  const [label, done] = [t('uploads.seen.useZone', { zone }), t('uploads.seen.zoneUsed', { zone })];
  return <ChangeWatch folder={data.row.folder} change={{ timeZone: zone }} label={label} done={done} />;
}
