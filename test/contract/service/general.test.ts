import { describe, expect, it } from 'vitest';
import { endpoints } from '../../../electron/agent/service/endpoints.ts';
import { useEvidenceRun } from './evidence-run.ts';
import { connectTo, going, valueOf } from './service-desk.ts';

const run = useEvidenceRun();
const lists = { uploaded_videos: [], failed_videos: [] };

/** Every text inside a value. */
function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

const toService = () =>
  run()
    .bench.simulator.requests.all()
    .filter((each) => each.listener === 'service');

describe('General', () => {
  it('Dates | writing | all times are UTC, form YYYY-MM-DDTHH:MM:SS.sssZ', async () => {
    const texts = toService().flatMap(({ body, query }) => [...textsIn(body), ...textsIn(query)]);
    const times = texts.filter((text) => /^\d{4}-\d\d-\d\d/.test(text));
    expect(times.length).toBeGreaterThan(5);
    for (const time of times) expect(time).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    const [first] = run().bench.simulator.putHistory(await run().incidentId('Gate 4'));
    expect(first?.written.incident_at).toBe('2026-05-01T18:31:00.000Z');
  });

  it('Endpoints | bodies | all bodies are JSON', () => {
    const withBody = toService().filter(({ body }) => body !== undefined);
    expect(withBody.length).toBeGreaterThan(3);
    for (const { headers, body } of withBody) {
      expect(headers['content-type']).toMatch(/^application\/json\b/);
      expect(body).toBeTypeOf('object');
    }
    for (const { headers } of toService()) expect(headers['accept']).toBe('application/json');
  });

  it('Endpoints | success | is 200 unless stated otherwise', () => {
    const created = new Set(['putIncident']);
    for (const { call, status } of toService()) {
      expect(created.has(call) ? [200, 201] : [200, 404]).toContain(status);
    }
    expect(
      run()
        .bench.of('clip.failed')
        .map(({ file }) => file),
    ).toEqual(['refused.avi']);
    const unknownIncident = toService().filter(({ status }) => status === 404);
    // Each incident is looked up when it is new, and read right before its first PUT
    const calls = ['getIncident', 'getIncident', 'getIncident', 'getIncident'];
    expect(unknownIncident.map(({ call }) => call)).toEqual(calls);
  });

  it('Service | export | files, thumbnails and large files reach the incident record', async () => {
    await run().bench.expectWhole({ failed: ['Gate 4/refused.avi'] });
    expect(run().bench.simulator.incidents().size).toBe(2);
  });

  it('Versioning | base_url | is taken to include the version segment where it applies', async () => {
    for (const { path } of toService()) expect(path).toMatch(/^\/v1\//);
    expect(run().bench.simulator.baseUrl).toMatch(/\/v1$/);
    await valueOf(run().desk.incidents.put('below', lists, going));
    expect(run().desk.lastRequest().path).toBe('/v1/vms/incidents/below');
  });

  it('Versioning | not shown: versions and deprecation | gap 2 | the address is used exactly as typed', async () => {
    const { simulator } = run().bench;
    const other = connectTo(simulator, { baseUrl: simulator.baseUrl.replace('/v1', '/api/v2') });
    await other.incidents.get('i', going);
    expect(simulator.requests.all().at(-1)?.path).toBe('/api/v2/vms/incidents/i');
    other.stop();
  });

  it('Service | not shown: calls beyond the listed ones | none | each request is one of endpoints 1 to 15', () => {
    const asked = Object.values(endpoints).map(({ method, path }) => `${method} ${path}`);
    expect(asked.toSorted()).toEqual([
      'DELETE /users/{userId}',
      'GET /periods',
      'GET /periods/{periodId}/actions',
      'GET /users',
      'GET /users/{userId}',
      'GET /vms/incidents/{incidentId}',
      'GET /vms/incidents/{incidentId}/abort_multipart_upload',
      'GET /vms/incidents/{incidentId}/create_multipart_upload',
      'POST /users',
      'POST /users/{userId}',
      'POST /vms/incidents/{incidentId}/complete_multipart_upload',
      'POST /vms/incidents/{incidentId}/upload_urls',
      'PUT /channels/{channelId}/chat_messages',
      'PUT /direct_message_channels/{channelId}/chat_messages',
      'PUT /users/{userId}',
      'PUT /vms/incidents/{incidentId}',
    ]);
    const asTyped = toService().filter(({ path }) => path.startsWith('/v1/'));
    expect(asTyped.map(({ call }) => call)).not.toContain('unknown');
  });

  it('Events | not shown: events, callbacks and webhooks | gap 29 | none is asked for, lists are read again', () => {
    const names = Object.values(endpoints).map(({ path }) => path);
    expect(names.filter((path) => /event|hook|callback|subscri/i.test(path))).toEqual([]);
  });
});
