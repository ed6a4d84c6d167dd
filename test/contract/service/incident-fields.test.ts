import { describe, expect, it } from 'vitest';
import { described, useEvidenceRun } from './evidence-run.ts';
import { going, valueOf } from './service-desk.ts';

const run = useEvidenceRun();

const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const wire = {
  id: 'CASE-42',
  title: 'A title',
  description: 'A description',
  incident_at: '2026-05-01T18:31:00.000Z',
  created_at: '2026-05-01T18:40:00.000Z',
  updated_at: '2026-05-01T18:50:00.000Z',
  longitude: -0.2795,
  latitude: 51.556,
  uploaded_videos: [],
  failed_videos: [],
};

/** The incident as the client reads it from an answer. */
async function read(more: object = {}) {
  run().desk.answerNext({ vms_incident: { ...wire, ...more } });
  return valueOf(run().desk.incidents.get('CASE-42', going));
}

describe('Incident (video management)', () => {
  it('Incident | vms_incident | incidents are returned and written under this key', async () => {
    expect(await read()).toEqual(wire);
    const { path, body } = run().bench.simulator.requests.of('putIncident')[0] ?? {};
    expect(path).toMatch(/^\/v1\/vms\/incidents\/[0-9a-f-]{36}$/);
    expect(Object.keys(Object(body))).toEqual(['vms_incident']);
  });

  it('Incident | id | string, chosen by the client in the path when creating', async () => {
    expect((await read()).id).toBe('CASE-42');
    const id = await run().incidentId('Gate 4');
    expect(run().bench.simulator.requests.of('putIncident', { incidentId: id })).not.toEqual([]);
    expect((await valueOf(run().desk.incidents.get(id, going))).id).toBe(id);
  });

  it('Incident | title | string, optional on write', async () => {
    expect((await read()).title).toBe('A title');
    const [first, ...later] = run().bench.simulator.putHistory(await run().incidentId('Gate 4'));
    expect(first?.written.title).toBe(described.title);
    expect(later.map(({ written }) => 'title' in written)).not.toContain(true);
  });

  it('Incident | description | string, optional on write', async () => {
    expect((await read()).description).toBe('A description');
    const [first] = run().bench.simulator.putHistory(await run().incidentId('Gate 4'));
    expect(first?.written.description).toBe(described.description);
    expect(await run().written('Ramp')).not.toHaveProperty('description');
  });

  it('Incident | incident_at | ISO 8601 timestamp, written and read', async () => {
    expect((await read()).incident_at).toBe(wire.incident_at);
    const [first] = run().bench.simulator.putHistory(await run().incidentId('Gate 4'));
    expect(first?.written.incident_at).toBe('2026-05-01T18:31:00.000Z');
  });

  it('Incident | created_at | time the incident was created, on write by the client', async () => {
    expect((await read()).created_at).toBe(wire.created_at);
    const [first] = run().bench.simulator.putHistory(await run().incidentId('Gate 4'));
    expect(first?.written.created_at).toMatch(TIMESTAMP);
  });

  it('Incident | updated_at | time of the last change, on write by the client', async () => {
    expect((await read()).updated_at).toBe(wire.updated_at);
    const [first] = run().bench.simulator.putHistory(await run().incidentId('Gate 4'));
    const last = (await run().written('Gate 4')).updated_at ?? '';
    expect(last).toMatch(TIMESTAMP);
    expect(last >= (first?.written.updated_at ?? 'none')).toBe(true);
  });

  it('Incident | longitude | number, optional on write', async () => {
    expect((await read()).longitude).toBe(-0.2795);
    const [first] = run().bench.simulator.putHistory(await run().incidentId('Gate 4'));
    expect(first?.written.longitude).toBe(-0.2795);
    expect(await run().written('Ramp')).not.toHaveProperty('longitude');
  });

  it('Incident | latitude | number, optional on write', async () => {
    expect((await read()).latitude).toBe(51.556);
    const [first] = run().bench.simulator.putHistory(await run().incidentId('Gate 4'));
    expect(first?.written.latitude).toBe(51.556);
    expect(await run().written('Ramp')).not.toHaveProperty('latitude');
  });

  it('Incident | uploaded_videos | array, required on write, empty when there are none', async () => {
    expect(await read({ uploaded_videos: [{ id: 'v' }] })).toMatchObject({ uploaded_videos: [{ id: 'v' }] });
    const puts = run().bench.simulator.requests.of('putIncident');
    for (const { body } of puts) expect(body).toHaveProperty('vms_incident.uploaded_videos');
    expect(puts[0]?.body).toHaveProperty('vms_incident.uploaded_videos', []);
    const ids = (await run().written('Gate 4')).uploaded_videos.map(({ id }) => id);
    const expected = [await run().clipId('Gate 4/gate.mkv'), await run().clipId('Gate 4/long.ts')];
    expect(ids.toSorted()).toEqual(expected.toSorted());
  });

  it('Incident | failed_videos | array, required on write, empty when there are none', async () => {
    expect(await read({ failed_videos: [{ id: 'v' }] })).toMatchObject({ failed_videos: [{ id: 'v' }] });
    for (const { body } of run().bench.simulator.requests.of('putIncident')) {
      expect(body).toHaveProperty('vms_incident.failed_videos');
    }
    expect((await run().written('Ramp')).failed_videos).toEqual([]);
    const ids = (await run().written('Gate 4')).failed_videos.map(({ id }) => id);
    expect(ids).toEqual([await run().clipId('Gate 4/refused.avi')]);
  });

  it('Incident | not shown: who chooses the id of the incident | gap 11 | the same export of the same desk has the same id', async () => {
    const id = await run().incidentId('Ramp');
    const puts = run().bench.simulator.requests.of('putIncident', { incidentId: id });
    expect(puts[0]?.path).toBe(`/v1/vms/incidents/${id}`);
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  });

  it('Incident | not shown: replace or merge on PUT | gap 13 | both arrays are whole each time, details go once and then only when they change', async () => {
    const puts = run().bench.simulator.putHistory(await run().incidentId('Gate 4'));
    const listed = puts.map(({ written }) =>
      [...written.uploaded_videos, ...written.failed_videos].map(({ id }) => id),
    );
    expect(puts.length).toBeGreaterThan(1);
    expect(listed.at(-1)).toEqual(expect.arrayContaining(listed.at(-2) ?? ['none']));
    for (const { written } of puts.slice(1))
      expect(Object.keys(written).toSorted()).toEqual(['failed_videos', 'updated_at', 'uploaded_videos']);
  });

  it('Incident | not shown: when to PUT | gap 14 | as soon as it is known, and when its last clip settles', async () => {
    const puts = run().bench.simulator.putHistory(await run().incidentId('Gate 4'));
    expect(puts[0]?.written).toMatchObject({ uploaded_videos: [], failed_videos: [] });
    expect(puts.at(-1)?.written).toMatchObject({
      uploaded_videos: { length: 2 },
      failed_videos: { length: 1 },
    });
  });

  it('Incident | not shown: times that nobody wrote down | gap 31 | settled and last changed; when it happened is left out', async () => {
    const [first] = run().bench.simulator.putHistory(await run().incidentId('Ramp'));
    const { created_at: created = '', updated_at: updated = '' } = first?.written ?? {};
    expect(created <= updated).toBe(true);
    expect(Date.now() - Date.parse(created)).toBeLessThan(60_000);
    expect(first?.written).not.toHaveProperty('incident_at');
    expect(first?.written.description).toMatch(/^Recording time not known; file last written /);
  });
});
