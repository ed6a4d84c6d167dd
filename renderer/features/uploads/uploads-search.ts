import { z } from 'zod';
import {
  MAX_EXCEPT,
  outlineSorts,
  outlineStates,
  type OutlineQuery,
  type OutlineRow,
} from '../../../shared/domain/upload-outline.ts';

/** The part of the screen's state that is in its address. */
export const uploadsSearchSchema = z.object({
  state: z.enum([...outlineStates, 'all']).catch('all'),
  search: z.string().max(200).catch(''),
  sort: z.enum(outlineSorts).catch('createdAt'),
  order: z.enum(['ascending', 'descending']).catch('descending'),
  /** Every incident stands open. */
  open: z.boolean().catch(false),
  /** Incidents that stand the other way than the rest. */
  turned: z.array(z.string()).max(MAX_EXCEPT).catch([]),
  incident: z.string().optional().catch(undefined),
  clip: z.string().optional().catch(undefined),
  export: z.string().optional().catch(undefined),
});
/** See `uploadsSearchSchema`. */
export type UploadsSearch = z.infer<typeof uploadsSearchSchema>;

/** Changes the address. */
export type ChangeUploadsSearch = (change: Partial<z.input<typeof uploadsSearchSchema>>) => void;

/** Nothing is chosen. */
export const nothingChosen = { incident: undefined, clip: undefined, export: undefined };

/** Rows of one request: a screenful with room to scroll. */
export const PAGE_ROWS = 100;

/** Where something is looked for, incidents stand open: what was found is mostly a clip. */
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

/** The incident stands the other way from now on; of too many the first goes back. */
export function turn(turned: readonly string[], incidentId: string): string[] {
  if (turned.includes(incidentId)) return turned.filter((each) => each !== incidentId);
  return [...turned, incidentId].slice(-MAX_EXCEPT);
}

/** The id of a row among all rows. */
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

/** What is chosen, as the id of its row. */
export function chosenRow({ incident, clip, export: seen }: UploadsSearch): string | undefined {
  if (seen !== undefined) return `export:${seen}`;
  if (clip !== undefined) return `clip:${clip}`;
  return incident === undefined ? undefined : `incident:${incident}`;
}

/** Chooses a row, in the address. A clip keeps its incident beside it. */
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
