import { ChevronDown, ChevronRight, Film } from 'lucide-react';
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
import { SafeName } from '../../ui/safe-name.tsx';
import { ProgressBar } from '../../ui/states.tsx';
import { ShortTime } from '../../ui/time-text.tsx';
import styles from './outline.module.css';
import { SeenName } from './seen-exports.tsx';
import { ThumbnailImage } from './clip-player.tsx';

type IncidentLine = Extract<OutlineRow, { kind: 'incident' }>;
type ClipLine = Extract<OutlineRow, { kind: 'clip' }>;

/** What a row is called. A clip says which incident it belongs to wherever it stands. */
export function NameCell({
  row,
  onToggle,
}: {
  readonly row: OutlineRow;
  readonly onToggle: (row: OutlineRow) => void;
}): ReactNode {
  switch (row.kind) {
    case 'export':
      return (
        <span className={styles['name']}>
          <span className={styles['noToggle']} />
          <SeenName row={row.seen} />
        </span>
      );
    case 'incident':
      return <IncidentName row={row} onToggle={onToggle} />;
    case 'clip':
      return <ClipName row={row} />;
  }
}

function IncidentName({
  row,
  onToggle,
}: {
  readonly row: IncidentLine;
  readonly onToggle: (row: OutlineRow) => void;
}): ReactNode {
  const { t } = useTranslation();
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
        // The focus stays in the grid, and opening is not choosing
        onMouseDown={(event) => event.preventDefault()}
        onClick={(event) => {
          event.stopPropagation();
          onToggle(row);
        }}
        onDoubleClick={(event) => event.stopPropagation()}
      >
        <Icon size={15} aria-hidden className={isOpen ? '' : 'points-on'} />
      </button>
      <strong className={styles['title']}>
        <SafeName name={incident.title} tip />
      </strong>
    </span>
  );
}

function ClipName({ row: { clip, incidentTitle } }: { readonly row: ClipLine }): ReactNode {
  return (
    <span className={`${styles['name'] ?? ''} ${styles['below'] ?? ''}`}>
      <span className={styles['file']}>
        <SafeName name={clip.file} cut />
      </span>
      <span className={styles['of']}>
        <SafeName name={incidentTitle} tip />
      </span>
    </span>
  );
}

/** The cameras of an incident, the camera of a clip. */
export function CameraCell({ row }: { readonly row: OutlineRow }): ReactNode {
  if (row.kind === 'export') return null;
  if (row.kind === 'clip')
    return row.clip.camera === undefined ? null : <SafeName name={row.clip.camera} tip />;
  const names = row.cameras.join(', ');
  return names === '' ? null : (
    <span className="dim">
      <SafeName name={row.hasMoreCameras ? `${names} …` : names} tip />
    </span>
  );
}

/** How long a row is in view before its picture is read, milliseconds: what is scrolled past is not. */
const REST_MS = 250;

/** The picture of a clip, or of one clip of an incident. */
export function PictureCell({ row }: { readonly row: OutlineRow }): ReactNode {
  const clipId =
    row.kind === 'clip' && row.hasPicture ? row.clip.id : row.kind === 'incident' ? row.pictureOf : undefined;
  return (
    <span className={styles['picture']} aria-hidden>
      {clipId === undefined ? <Film size={13} /> : <RowPicture key={clipId} clipId={clipId} />}
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

/** When the row was recorded; of an export how long it has stood like this, or still waits. */
export function RecordedCell({ row }: { readonly row: OutlineRow }): ReactNode {
  if (row.kind === 'export') return <SeenTime row={row.seen} />;
  return <ShortTime value={recordedAt(row)} isZoneKnown />;
}

/** Undefined where no time is known. */
export function recordedAt(row: OutlineRow): string | undefined {
  if (row.kind === 'export') return undefined;
  return row.kind === 'clip' ? row.clip.startedAt : row.recordedAt;
}

/** How far a row is, or why not. */
export function ProgressCell({ row }: { readonly row: OutlineRow }): ReactNode {
  switch (row.kind) {
    case 'export':
      return <SeenProgress seen={row.seen} />;
    case 'incident':
      return <IncidentProgress row={row} />;
    case 'clip':
      return <ClipProgress clip={row.clip} />;
  }
}

/** Of what is sent while it is written, how much; else why it is not in the queue. */
function SeenProgress({ seen }: { readonly seen: SeenExport }): ReactNode {
  const { t } = useTranslation();
  const { sentPercent, named } = seen.facts;
  if (sentPercent === undefined) return <Reason failure={seen} file={named[0]?.path} />;
  const label = t('uploads.progressOf', { file: visibleName(seen.name) });
  return <ProgressBar label={label} share={sentPercent / 100} />;
}

/** What went wrong without the name of the file, which stands beside it: in a narrow cell it would be all that is read. */
export function reasonText(message: string, file: string | undefined): string {
  const name = visibleName(file ?? '');
  if (name === '') return message;
  if (message.includes(`: ${name}.`)) return message.replace(`: ${name}.`, '.');
  // Failures stored by earlier versions begin with the name
  if (!message.startsWith(`${name} `)) return message;
  // "Empty." says it as well as "Is empty." does
  const rest = message.slice(name.length + 1).replace(/^(is|was) /, '');
  return rest.charAt(0).toUpperCase() + rest.slice(1);
}

function Reason({
  failure: { message, advice },
  file,
}: {
  readonly failure: Pick<Failure, 'message' | 'advice'>;
  readonly file: string | undefined;
}): ReactNode {
  return (
    // The agent says it in English
    <span lang="en" dir="auto" title={`${message} ${advice}`}>
      {reasonText(message, file)}
    </span>
  );
}

/** What all its failures have in common comes first, so that a narrow cell shows it; else how many there are. */
function IncidentProgress({
  row: { incident, reason, isOneReason },
}: {
  readonly row: IncidentLine;
}): ReactNode {
  const { t } = useTranslation();
  const { uploaded, failed, leftOut, pending } = incident;
  const sent = t('uploads.sentCount', { uploaded, total: uploaded + failed + leftOut + pending });
  const counts = leftOut === 0 ? sent : `${sent} · ${t('uploads.leftOutCount', { count: leftOut })}`;
  if (incident.failure !== undefined) return <Reason failure={incident.failure} file={undefined} />;
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

/** Steps of a bar: smaller ones are narrower than a pixel, and each costs a frame. */
const STEPS = 200;

/** Only this cell is drawn anew while bytes move. */
function ClipProgress({ clip }: { readonly clip: ClipRowView }): ReactNode {
  const { t } = useTranslation();
  const { state, failure, file } = clip;
  if (state === 'uploaded')
    return (
      <span className="dim">
        <ShortTime value={clip.uploadedAt} isZoneKnown />
      </span>
    );
  if (failure !== undefined && state !== 'uploading') return <Reason failure={failure} file={file} />;
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
