import type { LoggedRequest } from '../request-log.ts';
import type { FaultMatch } from './fault-rule.ts';

/** True when every field that the match names fits the request. */
export function matchRequest(match: FaultMatch, request: LoggedRequest): boolean {
  return (
    (match.call === undefined || match.call === '*' || match.call === request.call) &&
    (match.listener === undefined || match.listener === request.listener) &&
    (match.method === undefined || match.method === request.method) &&
    (match.pathContains === undefined || request.path.includes(match.pathContains)) &&
    (match.incidentId === undefined || match.incidentId === request.incidentId) &&
    (match.fileId === undefined || request.fileIds.includes(match.fileId)) &&
    (match.partNumber === undefined || match.partNumber === request.partNumber)
  );
}
