import { policyOf } from '../../shared/domain/failure-policy.ts';
import { createReportOnce } from '../../shared/lib/report-once.ts';
import { visibleName } from '../../shared/lib/visible-name.ts';
import type { AgentEvent } from '../agent/index.ts';

/** Something that a person should know of who does not look at the window. Words are safe to show. */
export interface News {
  readonly kind: 'failed' | 'stopped' | 'finished';
  readonly text: string;
  readonly incidentId?: string;
}

/** Incidents that are remembered as told of. */
const MOST_REMEMBERED = 500;

/** Picks the news out of what happens. It remembers finished incidents: a record is written again when a detail changes. */
export function createNewsPicker(): { readonly of: (event: AgentEvent) => News | undefined } {
  const { isNews } = createReportOnce(MOST_REMEMBERED);
  return {
    of(event) {
      switch (event.event) {
        case 'clip.failed': {
          if (policyOf(event.code).isKnown === true) return undefined;
          return { kind: 'failed', text: visibleName(event.message), incidentId: event.incidentId };
        }
        case 'circuit.paused': {
          // A network that is away comes back by itself
          const { mends, isKnown } = policyOf(event.code);
          if (mends !== 'person' || isKnown === true) return undefined;
          return { kind: 'stopped', text: visibleName(`${event.message} ${event.advice}`) };
        }
        case 'root.offline':
          return { kind: 'stopped', text: visibleName(event.message) };
        case 'incident.synced': {
          const { incidentId, title, uploaded, failed, pending } = event;
          if (pending > 0 || uploaded === 0 || failed > 0) return undefined;
          if (!isNews(incidentId, String(uploaded))) return undefined;
          const clips = uploaded === 1 ? '1 clip' : `${uploaded} clips`;
          return { kind: 'finished', text: `${visibleName(title)}: ${clips} sent.`, incidentId };
        }
        default:
          return undefined;
      }
    },
  };
}
