import type { FailedField, Failure } from '../../../shared/domain/failure.ts';
import type { IncidentChanges } from '../../../shared/domain/incident-edit.ts';
import { err, ok, type Result } from '../../../shared/lib/result.ts';
import { sentDetailsSchema } from '../../../shared/service/incident.ts';
import type { IncidentDetails, IncidentRow } from '../store/incident-rows.ts';
import type { Tables } from '../store/tables.ts';
import { editDetails } from '../store/stored-details.ts';
import type { Clock } from '../ports.ts';
import type { IncidentQueue } from '../queue/incident-jobs.ts';

interface Deps {
  readonly tables: Tables;
  readonly queue: IncidentQueue;
  readonly clock: Pick<Clock, 'now'>;
}

/**
 * Stores a person's changes to an incident and makes its PUT due, in one transaction; returns the incident's version.
 * Safe to run twice: the same changes again do nothing. Errors: NOT_FOUND; CALL_INPUT for clearing a time or position
 * that the service already has.
 */
export function editIncident(
  { tables, queue, clock }: Deps,
  incidentId: string,
  changes: IncidentChanges,
): Result<{ readonly version: number }, Failure> {
  return tables.write(() => {
    const row = tables.incidents.byId(incidentId);
    if (row === undefined) return err(unknownIncident(incidentId));
    const lasting = lastingFields(tables, row, changes);
    if (lasting.length > 0) return err(cannotBeForgotten(lasting));
    const details = editDetails(row, changes);
    if (isSame(row, details)) return ok({ version: row.version });
    tables.incidents.describe(row.id, details, clock.now());
    // The service may have refused the record because of what was just corrected.
    tables.jobs.revive('check-incident', row.id);
    queue.arm(row.id);
    return ok({ version: row.version + 1 });
  });
}

function isSame(row: IncidentRow, details: IncidentDetails): boolean {
  const fields = ['title', 'description', 'incidentAt', 'latitude', 'longitude', 'sources'] as const;
  return fields.every((field) => row[field] === details[field]);
}

/**
 * Fields that have no empty value on the wire, by their names in the row and on the wire: no number or time means
 * "none".
 */
const neverEmptied = [
  ['incidentAt', 'incident_at'],
  ['latitude', 'latitude'],
  ['longitude', 'longitude'],
] as const;

/**
 * Fields that can no longer be cleared: service.md endpoint 6 has no way to take a detail back, and one that is left
 * out stays unchanged there.
 */
function lastingFields(tables: Tables, row: IncidentRow, changes: IncidentChanges): readonly FailedField[] {
  const sent = row.sentDetails === null ? {} : sentDetailsSchema.parse(JSON.parse(row.sentDetails));
  const isBeingSent = tables.jobs.of('put-incident', row.id)?.state === 'leased';
  return neverEmptied.flatMap(([name, wireName]) => {
    const isSent = sent[wireName] !== undefined || (isBeingSent && row[name] !== null);
    if (changes[name] !== null || !isSent) return [];
    return [{ name: `changes.${name}`, text: 'can no longer be cleared, only changed' }];
  });
}

function cannotBeForgotten(fields: readonly FailedField[]): Failure {
  const isTime = ({ name }: FailedField): boolean => name === 'changes.incidentAt';
  const what = [...(fields.some(isTime) ? ['time'] : []), ...(fields.every(isTime) ? [] : ['position'])].join(
    ' and ',
  );
  return {
    code: 'CALL_INPUT',
    message: `Once sent to the service, the ${what} of an incident can be changed but not cleared.`,
    advice: 'Enter another value, or keep the current one.',
    retryable: false,
    fields,
  };
}

function unknownIncident(id: string): Failure {
  return {
    code: 'NOT_FOUND',
    message: `No incident in the queue has the ID ${id}.`,
    advice: 'It may have been removed. Refresh the list.',
    retryable: false,
  };
}
