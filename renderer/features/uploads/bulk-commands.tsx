import { useCallback, useMemo, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { OutlineRow } from '../../../shared/domain/upload-outline.ts';
import type { UploadTarget } from '../../../shared/domain/upload-view.ts';
import { MAX_INCIDENTS } from '../../../shared/ipc/calls/proof.ts';
import { Button } from '../../ui/button.tsx';
import { SavePacks } from './proof.tsx';
import { canSucceed, isPending, leaveOutOf, UploadButtons } from './upload-commands.tsx';
import type { Marks } from './uploads-grid.tsx';
import { rowIdOf } from './uploads-search.ts';

/** The rows that are marked, as they were when they were. */
export function useMarks(): Marks & { readonly clear: () => void } {
  const [rows, setRows] = useState<ReadonlyMap<string, OutlineRow>>(new Map());
  const toggle = useCallback((row: OutlineRow) => {
    setRows((before) => {
      const next = new Map(before);
      if (!next.delete(rowIdOf(row))) next.set(rowIdOf(row), row);
      return next;
    });
  }, []);
  const clear = useCallback(() => setRows(new Map()), []);
  return useMemo(() => ({ rows, toggle, clear }), [rows, toggle, clear]);
}

/** The commands of one clip or incident, for all that are marked. */
export function BulkCommands({
  rows,
  clear,
}: {
  readonly rows: readonly OutlineRow[];
  readonly clear: () => void;
}): ReactNode {
  const { t } = useTranslation();
  const states = rows.flatMap((row) =>
    row.kind === 'clip' ? row.clip.state : row.kind === 'incident' ? row.incident.state : [],
  );
  const incidentIds = incidentsOf(rows);
  return (
    <section aria-label={t('uploads.marked', { count: rows.length })} className="buttons">
      <strong role="status">{t('uploads.marked', { count: rows.length })}</strong>
      <UploadButtons
        targets={targetsOf(rows)}
        retry={rows.some(mayRetry) ? 'offered' : 'no'}
        isPaused={states.includes('paused') && !states.includes('waiting') && !states.includes('uploading')}
        isOpen={rows.some(isRowPending)}
        leaveOut={leaveOutOf(rows.flatMap((row) => (row.kind === 'clip' ? row.clip : [])))}
      />
      {incidentIds.length === 0 || incidentIds.length > MAX_INCIDENTS ? null : (
        <SavePacks incidentIds={incidentIds} />
      )}
      <Button kind="quiet" onPress={clear}>
        {t('uploads.unmark')}
      </Button>
    </section>
  );
}

/** Each incident, and the clips of the others together: a clip of a marked incident is not named twice. */
export function targetsOf(rows: readonly OutlineRow[]): readonly UploadTarget[] {
  const incidents = rows.flatMap((row) => (row.kind === 'incident' ? row.incident.id : []));
  const clipIds = rows.flatMap((row) =>
    row.kind === 'clip' && !incidents.includes(row.clip.incidentId) ? row.clip.id : [],
  );
  return [
    ...incidents.map((incidentId) => ({ kind: 'incident', incidentId }) as const),
    ...(clipIds.length === 0 ? [] : [{ kind: 'clips', clipIds } as const]),
  ];
}

/** The marked incidents, and those of marked clips, each once. */
function incidentsOf(rows: readonly OutlineRow[]): readonly string[] {
  const ids = rows.flatMap((row) =>
    row.kind === 'incident' ? row.incident.id : row.kind === 'clip' ? row.clip.incidentId : [],
  );
  return [...new Set(ids)];
}

function mayRetry(row: OutlineRow): boolean {
  if (row.kind === 'clip') return row.clip.state === 'failed' && canSucceed(row.clip.failure);
  return row.kind === 'incident' && (row.incident.failed > 0 || row.incident.failure !== undefined);
}

function isRowPending(row: OutlineRow): boolean {
  if (row.kind === 'clip') return isPending(row.clip);
  return row.kind === 'incident' && row.incident.pending > 0;
}
