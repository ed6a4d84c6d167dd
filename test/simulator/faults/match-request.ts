import type { LoggedRequest } from '../request-log.ts';
import type { FaultMatch } from './fault-rule.ts';

/** Returns true when the request matches every field that is given. */
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
