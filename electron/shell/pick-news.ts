import type { FailureCode } from '../../shared/domain/failure.ts';
import { visibleName } from '../../shared/lib/visible-name.ts';
import type { AgentEvent } from '../agent/index.ts';

/** Something that a person should know of who does not look at the window. Words are safe to show. */
export interface News {
  readonly kind: 'failed' | 'stopped' | 'finished';
  readonly text: string;
  readonly incidentId?: string;
}

/** Lanes that only a person can open again; a network that is away comes back by itself and is no news. */
const needsPerson: ReadonlySet<FailureCode> = new Set<FailureCode>([
  'KEY_REFUSED',
  'KEY_MISSING',
  'KEY_FORMAT',
  'KEY_FILE_OPEN',
  'KEY_STORE',
  'PERMISSION_MISSING',
  'VIDEO_PERMISSION_MISSING',
  'TLS_REFUSED',
]);
/** Incidents that are remembered as told of. */
const MOST_REMEMBERED = 500;

/** Picks the news out of what happens. It remembers finished incidents: a record is written again when a detail changes. */
export function createNewsPicker(): { readonly of: (event: AgentEvent) => News | undefined } {
  const told = new Map<string, string>();

  function isNew(incidentId: string, state: string): boolean {
    if (told.get(incidentId) === state) return false;
    told.delete(incidentId);
    told.set(incidentId, state);
    const [oldest] = told.keys();
    if (told.size > MOST_REMEMBERED && oldest !== undefined) told.delete(oldest);
    return true;
  }

  return {
    of(event) {
      switch (event.event) {
        case 'clip.failed': {
          // Whoever cancelled it knows
          if (event.code === 'CANCELLED') return undefined;
          return { kind: 'failed', text: visibleName(event.message), incidentId: event.incidentId };
        }
        case 'lane.paused':
          return needsPerson.has(event.code)
            ? { kind: 'stopped', text: visibleName(`${event.message} ${event.advice}`) }
            : undefined;
        case 'root.offline':
          return { kind: 'stopped', text: visibleName(event.message) };
        case 'incident.synced': {
          const { incidentId, title, uploaded, failed, pending } = event;
          if (pending > 0 || uploaded === 0 || failed > 0) return undefined;
          if (!isNew(incidentId, String(uploaded))) return undefined;
          const clips = uploaded === 1 ? '1 clip' : `${uploaded} clips`;
          return { kind: 'finished', text: `${visibleName(title)}: ${clips} sent.`, incidentId };
        }
        default:
          return undefined;
      }
    },
  };
}
