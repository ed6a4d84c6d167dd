import { z } from 'zod';
import {
  MAX_EXCEPT,
  outlineSorts,
  outlineStates,
  type OutlineQuery,
  type OutlineRow,
} from '../../../shared/domain/upload-outline.ts';

/** The screen's search parameters. */
export const uploadsSearchSchema = z.object({
  state: z.enum([...outlineStates, 'all']).catch('all'),
  search: z.string().max(200).catch(''),
  sort: z.enum(outlineSorts).catch('createdAt'),
  order: z.enum(['ascending', 'descending']).catch('descending'),
  /** All incidents are expanded. */
  open: z.boolean().catch(false),
  /** Incidents that are the exception: expanded while the others are not, or vice versa. */
  turned: z.array(z.string()).max(MAX_EXCEPT).catch([]),
  incident: z.string().optional().catch(undefined),
  clip: z.string().optional().catch(undefined),
  export: z.string().optional().catch(undefined),
});
/** See `uploadsSearchSchema`. */
export type UploadsSearch = z.infer<typeof uploadsSearchSchema>;

/** Changes the search parameters. */
export type ChangeUploadsSearch = (change: Partial<z.input<typeof uploadsSearchSchema>>) => void;

/** The parameters of an empty selection. */
export const nothingChosen = { incident: undefined, clip: undefined, export: undefined };

/** Rows per request: a screenful, with room to scroll. */
export const PAGE_ROWS = 100;

/** The query for the list. Filtered incidents are expanded, since the matches are mostly clips. */
export function outlineOf({
  state,
  search,
  sort,
  order,
  open,
  turned,
}: UploadsSearch): Omit<OutlineQuery, 'offset' | 'limit'> {
  const text = search.trim();
  const isNarrowed = text !== '' || state !== 'all';
  return {
    ...(state === 'all' ? {} : { state }),
    ...(text === '' ? {} : { search: text }),
    sort,
    order,
    isOpen: isNarrowed || open,
    except: turned,
  };
}

/** Expands or collapses an incident; beyond the limit, the oldest exception is dropped. */
export function turn(turned: readonly string[], incidentId: string): string[] {
  if (turned.includes(incidentId)) return turned.filter((each) => each !== incidentId);
  return [...turned, incidentId].slice(-MAX_EXCEPT);
}

/** The ID of a row, unique among all kinds of rows. */
export function rowIdOf(row: OutlineRow): string {
  switch (row.kind) {
    case 'export':
      return `export:${row.seen.id}`;
    case 'incident':
      return `incident:${row.incident.id}`;
    case 'clip':
      return `clip:${row.clip.id}`;
  }
}

/** The row ID of the selection. */
export function chosenRow({ incident, clip, export: seen }: UploadsSearch): string | undefined {
  if (seen !== undefined) return `export:${seen}`;
  if (clip !== undefined) return `clip:${clip}`;
  return incident === undefined ? undefined : `incident:${incident}`;
}

/** The parameters that select a row. A clip also includes its incident. */
export function choiceOf(row: OutlineRow): typeof nothingChosen | Partial<UploadsSearch> {
  switch (row.kind) {
    case 'export':
      return { ...nothingChosen, export: row.seen.id };
    case 'incident':
      return { ...nothingChosen, incident: row.incident.id };
    case 'clip':
      return { ...nothingChosen, clip: row.clip.id, incident: row.clip.incidentId };
  }
}
