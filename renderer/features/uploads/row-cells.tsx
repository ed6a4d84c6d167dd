import type { TFunction } from 'i18next';
import { ChevronDown, ChevronRight } from 'lucide-react';
import { useEffect, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Failure } from '../../../shared/domain/failure.ts';
import { needsPerson, type SeenExport } from '../../../shared/domain/seen-export.ts';
import type { OutlineRow } from '../../../shared/domain/upload-outline.ts';
import type { ClipRowView } from '../../../shared/domain/upload-view.ts';
import { formatDuration } from '../../../shared/lib/readable-amounts.ts';
import { visibleName } from '../../../shared/lib/visible-name.ts';
import { formatShare } from '../../format/format.ts';
import { useLasting } from '../../queries/use-call.ts';
import { useLocale, useProgress, useNow } from '../../stores/services.ts';
import { safeName } from '../../ui/safe-name.tsx';
import { ProgressBar } from '../../ui/states.tsx';
import { timeInList, type useTimeForm } from '../../ui/time-text.tsx';
import styles from './outline.module.css';
import { SeenName } from './seen-exports.tsx';
import { ThumbnailImage } from './clip-player.tsx';

type IncidentLine = Extract<OutlineRow, { kind: 'incident' }>;
type ClipLine = Extract<OutlineRow, { kind: 'clip' }>;

/**
 * Shared inputs of the cells. Cells are mostly functions rather than components: scrolling renders rows by the hundred.
 */
export interface CellLook {
  readonly t: TFunction;
  readonly times: ReturnType<typeof useTimeForm>;
}

/** The name of a row. A clip also names its incident, wherever it is listed. */
export function nameCell(row: OutlineRow, { t }: CellLook, onToggle: (row: OutlineRow) => void): ReactNode {
  switch (row.kind) {
    case 'export':
      return (
        <span className={styles['name']}>
          <span className={styles['noToggle']} />
          <SeenName row={row.seen} />
        </span>
      );
    case 'incident':
      return incidentName(row, t, onToggle);
    case 'clip':
      return clipName(row);
  }
}

function incidentName(row: IncidentLine, t: TFunction, onToggle: (row: OutlineRow) => void): ReactNode {
  const { incident, isOpen } = row;
  const Icon = isOpen ? ChevronDown : ChevronRight;
  const label = t(isOpen ? 'uploads.closeIncident' : 'uploads.openIncident', {
    title: visibleName(incident.title),
  });
  return (
    <span className={styles['name']}>
      <button
        type="button"
        tabIndex={-1}
        aria-label={label}
        className={styles['toggle']}
        // Keeps the focus in the grid; expanding a row does not select it
        onMouseDown={(event) => event.preventDefault()}
        onClick={(event) => {
          event.stopPropagation();
          onToggle(row);
        }}
        onDoubleClick={(event) => event.stopPropagation()}
      >
        <Icon size={15} aria-hidden className={isOpen ? '' : 'points-on'} />
      </button>
      <strong className={styles['title']}>{safeName(incident.title, 'tip')}</strong>
    </span>
  );
}

const clipName = ({ clip, incidentTitle }: ClipLine): ReactNode => (
  <span className={`${styles['name'] ?? ''} ${styles['below'] ?? ''}`}>
    <span className={styles['file']}>{safeName(clip.file, 'cut')}</span>
    <span className={styles['of']}>{safeName(incidentTitle, 'tip')}</span>
  </span>
);

/** The cameras of an incident, or the camera of a clip. */
export function cameraCell(row: OutlineRow): ReactNode {
  if (row.kind === 'export') return null;
  if (row.kind === 'clip') return row.clip.camera === undefined ? null : safeName(row.clip.camera, 'tip');
  const names = row.cameras.join(', ');
  return names === '' ? null : (
    <span className="dim">{safeName(row.hasMoreCameras ? `${names} …` : names, 'tip')}</span>
  );
}

/** How long a row must be in view before its thumbnail is read, milliseconds: rows scrolled past are skipped. */
const REST_MS = 250;

/** The thumbnail of a clip, or of one clip of an incident; a blank if there is none. */
export function pictureCell(row: OutlineRow): ReactNode {
  const clipId =
    row.kind === 'clip' && row.hasPicture ? row.clip.id : row.kind === 'incident' ? row.pictureOf : undefined;
  return (
    <span className={styles['picture']} aria-hidden>
      {clipId === undefined ? null : <RowPicture key={clipId} clipId={clipId} />}
    </span>
  );
}

function RowPicture({ clipId }: { readonly clipId: string }): ReactNode {
  const [isResting, setResting] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setResting(true), REST_MS);
    return () => clearTimeout(timer);
  }, []);
  const image = useLasting('uploads.getThumbnail', { clipId }, isResting);
  return image === undefined ? null : <ThumbnailImage image={image} name="" />;
}

/** Length of a time in the current year and the heading's zone, characters. */
const TIME_ROOM = 18;

/** When the row was recorded; for an export, how long it has been in its state or still has to wait. */
export function recordedCell(row: OutlineRow, { times }: CellLook): ReactNode {
  if (row.kind === 'export') return <SeenTime row={row.seen} />;
  return timeInList(row.kind === 'clip' ? row.clip.startedAt : row.recordedAt, times, true, TIME_ROOM);
}

/** The progress of a row, or why there is none. */
export function progressCell(row: OutlineRow, look: CellLook): ReactNode {
  switch (row.kind) {
    case 'export':
      return seenProgress(row.seen, look);
    case 'incident':
      return incidentProgress(row, look);
    case 'clip':
      return clipProgress(row.clip, look);
  }
}

/** How much has been sent of an export that is still being written; otherwise, why it is not in the queue. */
function seenProgress(seen: SeenExport, { t }: CellLook): ReactNode {
  const { sentPercent, named } = seen.facts;
  if (sentPercent === undefined) return reasonOf(seen, named[0]?.path);
  const label = t('uploads.progressOf', { file: visibleName(seen.name) });
  return <ProgressBar label={label} share={sentPercent / 100} />;
}

/**
 * A failure message without the file name, which is shown beside it: in a narrow cell, the name would fill all the
 * space.
 */
export function reasonText(message: string, file: string | undefined): string {
  const name = visibleName(file ?? '');
  if (name === '') return message;
  if (message.includes(`: ${name}.`)) return message.replace(`: ${name}.`, '.');
  // Failures stored by earlier versions begin with the name
  if (!message.startsWith(`${name} `)) return message;
  // "Empty." is as clear as "Is empty."
  const rest = message.slice(name.length + 1).replace(/^(is|was) /, '');
  return rest.charAt(0).toUpperCase() + rest.slice(1);
}

function reasonOf(
  { message, advice }: Pick<Failure, 'message' | 'advice'>,
  file: string | undefined,
): ReactNode {
  return (
    // The agent's messages are in English
    <span lang="en" dir="auto" title={`${message} ${advice}`}>
      {reasonText(message, file)}
    </span>
  );
}

/** A reason that all failures share comes first, so that a narrow cell shows it; otherwise, their number does. */
function incidentProgress({ incident, reason, isOneReason }: IncidentLine, { t }: CellLook): ReactNode {
  const { uploaded, failed, leftOut, pending } = incident;
  const sent = t('uploads.sentCount', { uploaded, total: uploaded + failed + leftOut + pending });
  const counts = leftOut === 0 ? sent : `${sent} · ${t('uploads.leftOutCount', { count: leftOut })}`;
  if (incident.failure !== undefined) return reasonOf(incident.failure, undefined);
  if (failed === 0) return <span className="dim">{counts}</span>;
  const count = <span>{t('uploads.failedCount', { count: failed })}</span>;
  const why = reason === undefined ? null : <span lang="en">{reason.message.replace(/\.$/, '')}</span>;
  const [first, second] = isOneReason === true ? [why, count] : [count, why];
  return (
    <span dir="auto" title={reason === undefined ? counts : `${reason.message} ${reason.advice} ${counts}`}>
      {first}
      {first === null || second === null ? null : ' · '}
      {second}
    </span>
  );
}

/** Steps of a progress bar: smaller ones would be narrower than a pixel, and each costs a frame. */
const STEPS = 200;

/** Only this cell renders again while bytes move. */
function clipProgress(clip: ClipRowView, { t, times }: CellLook): ReactNode {
  const { state, failure, file } = clip;
  if (state === 'uploaded')
    return <span className="dim">{timeInList(clip.uploadedAt, times, true, TIME_ROOM)}</span>;
  if (failure !== undefined && state !== 'uploading') return reasonOf(failure, file);
  if (state !== 'uploading' && clip.bytesSent === 0) return null;
  return <LiveBar clip={clip} label={t('uploads.progressOf', { file: visibleName(file) })} />;
}

function LiveBar({ clip, label }: { readonly clip: ClipRowView; readonly label: string }): ReactNode {
  const { id, sizeBytes, bytesSent } = clip;
  const share = useProgress((progress) => {
    const sent = Math.max(bytesSent, progress.sentByClip.get(id) ?? 0);
    return sizeBytes === 0 ? 0 : Math.min(Math.floor((sent / sizeBytes) * STEPS) / STEPS, 0.99);
  });
  return <ProgressBar label={label} share={share} />;
}

function SeenTime({ row }: { readonly row: SeenExport }): ReactNode {
  const { t } = useTranslation();
  const locale = useLocale();
  const nowMs = useNow();
  const { state, settlesAt, since, facts } = row;
  const text = ((): string => {
    if (state === 'reading') return formatShare((facts.read?.done ?? 0) / (facts.read?.total || 1), locale);
    if (facts.sentPercent !== undefined)
      return t('uploads.seen.sent', { share: formatShare(facts.sentPercent / 100, locale) });
    const leftMs = settlesAt === undefined ? 0 : Date.parse(settlesAt) - nowMs;
    if (state === 'settling')
      return leftMs > 0 ? t('uploads.seen.left', { time: formatDuration(leftMs) }) : t('uploads.seen.soon');
    return t('uploads.seen.lasts', { time: formatDuration(nowMs - Date.parse(since)) });
  })();
  return <span className={`ltr ${needsPerson(state) ? (styles['age'] ?? '') : 'dim'}`}>{text}</span>;
}
