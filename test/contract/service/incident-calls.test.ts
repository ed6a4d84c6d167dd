import { describe, expect, it } from 'vitest';
import { errorOf, going, useServiceDesk, valueOf } from './service-desk.ts';

const desk = useServiceDesk();

const PATH = '/v1/vms/incidents/CASE%2F42';
const ID = 'CASE/42';
const lists = { uploaded_videos: [], failed_videos: [] };
const incident = { id: ID, title: 'A title', ...lists };
const put = (body: object = {}) => desk().incidents.put(ID, { ...lists, ...body }, going);

describe('5. Get An Incident', () => {
  it('5 | address | GET /vms/incidents/{incident_id}', async () => {
    desk().answerNext({ vms_incident: incident });
    await desk().incidents.get(ID, going);
    expect(desk().lastRequest()).toMatchObject({ method: 'GET', path: PATH, query: {}, bytesReceived: 0 });
  });

  it('5 | incident_id | is a string id of the incident, one segment of the path', async () => {
    for (const id of ['CASE 42', 'a?b#c', '100%', 'ü', '-']) {
      desk().answerNext({ vms_incident: incident });
      await desk().incidents.get(id, going);
      expect(desk().lastRequest().path).toBe(`/v1/vms/incidents/${encodeURIComponent(id)}`);
    }
  });

  it('5 | 200 | answers the incident under vms_incident', async () => {
    desk().answerNext({ vms_incident: incident, more: 1 });
    expect(await valueOf(desk().incidents.get(ID, going))).toEqual(incident);
    desk().answerNext(incident);
    expect(await errorOf(desk().incidents.get(ID, going))).toMatchObject({ code: 'API_SHAPE' });
  });

  it('5 | videos | 200: uploaded_videos and failed_videos as described under Resources', async () => {
    const uploaded = [{ id: 'v1', storage_key: 'k', upload_errors: [] }];
    const failed = [{ id: 'v2', upload_errors: ['Too large.'] }];
    desk().answerNext({ vms_incident: { ...incident, uploaded_videos: uploaded, failed_videos: failed } });
    const read = await valueOf(desk().incidents.get(ID, going));
    expect([read.uploaded_videos, read.failed_videos]).toEqual([uploaded, failed]);
  });
});

describe('6. Create/Update Incident', () => {
  it('6 | address | PUT /vms/incidents/{incident_id}', async () => {
    await put();
    expect(desk().lastRequest()).toMatchObject({ method: 'PUT', path: PATH, query: {} });
  });

  it('6 | vms_incident | body, the incident fields under this key', async () => {
    await put({ title: 'A title', longitude: 1.5 });
    const written = { title: 'A title', longitude: 1.5, ...lists };
    expect(desk().lastRequest()).toMatchObject({ body: { vms_incident: written }, status: 200 });
    expect(desk().simulator.incidents().get(ID)).toMatchObject({ title: 'A title', longitude: 1.5 });
  });

  it('6 | uploaded_videos | body, required', async () => {
    await put();
    expect(desk().lastRequest().body).toHaveProperty('vms_incident.uploaded_videos', []);
  });

  it('6 | failed_videos | body, required', async () => {
    await put();
    expect(desk().lastRequest().body).toHaveProperty('vms_incident.failed_videos', []);
  });

  it('6 | 200 | an incident that existed is updated', async () => {
    await put();
    const updated = await valueOf(put({ title: 'Another title' }));
    expect(desk().lastRequest().status).toBe(200);
    expect(updated.title).toBe('Another title');
  });

  it('6 | 201 | an incident that did not exist is created', async () => {
    const created = await valueOf(desk().incidents.put('a new one', { ...lists, title: 'New' }, going));
    expect(desk().lastRequest().status).toBe(201);
    expect(created).toMatchObject({ id: 'a new one', title: 'New', ...lists });
  });

  it('6 | answer | has the same shape as Get An Incident', async () => {
    const answered = await valueOf(put({ title: 'A title', description: 'Seen', latitude: 51.5 }));
    expect(answered).toEqual(await valueOf(desk().incidents.get(ID, going)));
    desk().answerNext(incident);
    expect(await errorOf(put())).toMatchObject({ code: 'API_SHAPE' });
  });
});
