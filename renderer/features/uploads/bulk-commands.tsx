import { useCallback, useMemo, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { OutlineRow } from '../../../shared/domain/upload-outline.ts';
import type { ClipRowView, IncidentRowView } from '../../../shared/domain/upload-view.ts';
import { MAX_INCIDENTS } from '../../../shared/ipc/calls/proof.ts';
import { Button } from '../../ui/button.tsx';
import { SavePacks } from './proof.tsx';
import { UploadButtons } from './upload-commands.tsx';
import type { Marks } from './uploads-grid.tsx';
import { rowIdOf } from './uploads-search.ts';

/** The rows that are marked, as they stand now; those that are not `loaded` any more as they last stood. */
export function useMarks(loaded: readonly OutlineRow[]): Marks & { readonly clear: () => void } {
  const [rows, setRows] = useState<ReadonlyMap<string, OutlineRow>>(new Map());
  const [seen, setSeen] = useState(loaded);
  if (seen !== loaded) {
    setSeen(loaded);
    const changed = loaded.filter((row) => (rows.get(rowIdOf(row)) ?? row) !== row);
    if (changed.length > 0)
      setRows(new Map([...rows, ...changed.map((row) => [rowIdOf(row), row] as const)]));
  }
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
  const incidentIds = incidentsOf(rows);
  return (
    <section aria-label={t('uploads.marked', { count: rows.length })} className="buttons">
      <strong role="status">{t('uploads.marked', { count: rows.length })}</strong>
      <UploadButtons {...chosenOf(rows)} onChanged={clear} />
      {incidentIds.length === 0 || incidentIds.length > MAX_INCIDENTS ? null : (
        <SavePacks incidentIds={incidentIds} />
      )}
      <Button kind="quiet" onPress={clear}>
        {t('uploads.unmark')}
      </Button>
    </section>
  );
}

/** Each incident, and the clips of the others: a clip of a marked incident is not named twice. */
export function chosenOf(rows: readonly OutlineRow[]): {
  readonly clips: readonly ClipRowView[];
  readonly incidents: readonly IncidentRowView[];
} {
  const incidents = rows.flatMap((row) => (row.kind === 'incident' ? row.incident : []));
  const marked = new Set(incidents.map(({ id }) => id));
  const clips = rows.flatMap((row) =>
    row.kind === 'clip' && !marked.has(row.clip.incidentId) ? row.clip : [],
  );
  return { clips, incidents };
}

/** The marked incidents, and those of marked clips, each once. */
function incidentsOf(rows: readonly OutlineRow[]): readonly string[] {
  const ids = rows.flatMap((row) =>
    row.kind === 'incident' ? row.incident.id : row.kind === 'clip' ? row.clip.incidentId : [],
  );
  return [...new Set(ids)];
}
