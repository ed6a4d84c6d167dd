import { jsonAnswer, refusal } from '../http/answer.ts';
import { checkVideos } from './check-videos.ts';
import { parseBody } from './check-input.ts';
import { incidentBodySchema } from './incident-schema.ts';
import type { Route } from './route.ts';

const incidentPath = ['vms', 'incidents', ':incident_id'];
const describe: NonNullable<Route['describe']> = ({ path }, entry) => {
  if (path.incident_id !== undefined) entry.incidentId = path.incident_id;
};

/** Endpoint 5, Get An Incident. */
const getIncident: Route = {
  call: 'getIncident',
  method: 'GET',
  path: incidentPath,
  needsVideoPermission: true,
  query: {},
  describe,
  async handle({ path }, { incidents }) {
    const incident = incidents.incidents.get(path.incident_id ?? '');
    return incident ? jsonAnswer(200, { vms_incident: incident }) : refusal(404, 'Incident not found');
  },
};

/** Endpoint 6, Create/Update Incident. */
const putIncident: Route = {
  call: 'putIncident',
  method: 'PUT',
  path: incidentPath,
  needsVideoPermission: true,
  query: {},
  describe,
  async handle({ path, body }, context) {
    const incidentId = path.incident_id ?? '';
    const parsed = parseBody(incidentBodySchema, body);
    if (!parsed.ok) return parsed.error;
    const written = parsed.value.vms_incident;
    const reason = await checkVideos(incidentId, written, context);
    if (reason !== undefined) return refusal(422, `Validation failed: ${reason}`);
    const { incident, status } = context.incidents.put(
      incidentId,
      written,
      context.clock.now(),
      context.settings.omittedDetails,
    );
    for (const video of written.uploaded_videos) settleKeys([video.storage_key, video.storage_thumbnail_key]);
    return jsonAnswer(status, { vms_incident: incident });

    function settleKeys(keys: readonly (string | undefined)[]): void {
      for (const key of keys) if (key !== undefined) context.uploads.settle(key);
    }
  },
};

export const incidentRoutes: readonly Route[] = [getIncident, putIncident];
