import { policyOf } from '../../../shared/domain/failure-policy.ts';
import type { AgentSignal } from '../../../shared/ipc/events.ts';
import { createReportOnce } from '../../../shared/lib/report-once.ts';
import { visibleName } from '../../../shared/lib/visible-name.ts';
import type { AgentEvent } from '../events.ts';

/** Incidents that are remembered as reported; one that was forgotten is reported again when it is written again. */
const MOST_REMEMBERED = 1000;

type Notice = Extract<AgentSignal, { kind: 'notice' }>;

/** Picks what a person may want to read now out of all that happens. */
export interface Notices {
  of(event: AgentEvent): Notice | undefined;
}

/** Makes the picker. It remembers which incidents it reported: a record is written again when a detail changes. */
export function createNotices(): Notices {
  const { isNews } = createReportOnce(MOST_REMEMBERED);
  return {
    of(event) {
      switch (event.event) {
        case 'incident.synced': {
          const { incidentId, uploaded, failed, pending } = event;
          const isDone = pending === 0 && uploaded + failed > 0;
          return isDone && isNews(incidentId, `${uploaded} ${failed}`) ? sentNotice(event) : undefined;
        }
        case 'clip.failed': {
          const { code, message, incidentId, clipId } = event;
          if (policyOf(code).isKnown === true) return undefined;
          return {
            kind: 'notice',
            level: 'failure',
            code,
            message: visibleName(message),
            incidentId,
            clipId,
          };
        }
        case 'file.held':
          return {
            kind: 'notice',
            level: 'warning',
            code: event.code,
            message: visibleName(event.folder === '' ? event.message : `${event.folder}: ${event.message}`),
          };
        case 'export.state':
          // Of loose files each is said by itself
          return event.state === 'unrecognised' && event.folder !== ''
            ? unrecognisedNotice(event)
            : undefined;
        case 'circuit.paused':
        case 'root.offline':
        case 'root.waiting':
        case 'warning':
          return {
            kind: 'notice',
            level: 'warning',
            code: event.code,
            message: visibleName(event.message),
          };
        default:
          return undefined;
      }
    },
  };
}

function unrecognisedNotice({ folder, message }: Extract<AgentEvent, { event: 'export.state' }>): Notice {
  const text = visibleName(`${folder}: ${message}`);
  return { kind: 'notice', level: 'warning', code: 'EXPORT_NOT_RECOGNISED', message: text };
}

function sentNotice(event: Extract<AgentEvent, { event: 'incident.synced' }>): Notice {
  const { incidentId, title, uploaded, failed } = event;
  const clips = `${uploaded} ${uploaded === 1 ? 'clip is' : 'clips are'} sent`;
  return {
    kind: 'notice',
    level: failed === 0 ? 'info' : 'warning',
    code: 'INCIDENT_SENT',
    message: `${visibleName(title)}: ${clips}${failed === 0 ? '' : `, ${failed} failed`}.`,
    incidentId,
  };
}
