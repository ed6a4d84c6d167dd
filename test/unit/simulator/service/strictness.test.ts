import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { putBytes } from '../../../contract/put-bytes.ts';
import { startSimulator, type Simulator } from '../../../simulator/index.ts';
import { askSingleUrl, callService, openMultipart } from '../call-service.ts';

let simulator: Simulator;
let storedKey: string;
let unsentKey: string;
let strangeKey: string;
beforeAll(async () => {
  simulator = await startSimulator({ maxUploadSizeMb: 500 });
  const stored = await askSingleUrl(simulator, 'i1', 'stored');
  await putBytes(stored.url, 'a clip');
  storedKey = stored.key;
  unsentKey = (await askSingleUrl(simulator, 'i1', 'unsent')).key;
  const strange = await askSingleUrl(simulator, 'i2', 'strange');
  await putBytes(strange.url, 'a clip');
  strangeKey = strange.key;
});
afterAll(() => simulator.stop());

const call = (method: string, path: string, body?: unknown) =>
  callService(simulator, method, path, body === undefined ? {} : { body });
const base = '/vms/incidents/i1';
const put = (incident: object) =>
  call('PUT', base, { vms_incident: { uploaded_videos: [], failed_videos: [], ...incident } });
const video = (fields: object = {}) => ({ id: 'v1', storage_key: storedKey, ...fields });

describe('what the simulated service refuses', () => {
  it.each([
    ['an unknown path', 'GET', '/vms/incident/i1', 404],
    ['no version', 'GET', '/../vms/incidents/i1', 404],
    ['a path cut short', 'GET', '/vms/incidents', 404],
    ['POST for an incident', 'POST', base, 405],
    ['POST for create', 'POST', `${base}/create_multipart_upload?file_id=f&filename=a.mp4`, 405],
    ['GET for URLs', 'GET', `${base}/upload_urls`, 405],
    ['GET for complete', 'GET', `${base}/complete_multipart_upload`, 405],
    ['DELETE for abort', 'DELETE', `${base}/abort_multipart_upload?storage_key=k&upload_id=u`, 405],
    ['an unknown incident', 'GET', '/vms/incidents/nobody', 404],
    ['an unknown query parameter', 'GET', `${base}?verbose=true`, 400],
    ['create without file_id', 'GET', `${base}/create_multipart_upload?filename=a.mp4`, 400],
    ['create with an empty filename', 'GET', `${base}/create_multipart_upload?file_id=f&filename=`, 400],
    ['create with fileId', 'GET', `${base}/create_multipart_upload?fileId=f&filename=a.mp4`, 400],
    [
      'create with file_id twice',
      'GET',
      `${base}/create_multipart_upload?file_id=f&file_id=g&filename=a.mp4`,
      400,
    ],
    ['a filename with a path', 'GET', `${base}/create_multipart_upload?file_id=f&filename=..%2Fa.mp4`, 400],
    [
      'a filename with spaces',
      'GET',
      `${base}/create_multipart_upload?file_id=f&filename=my%20clip.mp4`,
      400,
    ],
    ['abort without upload_id', 'GET', `${base}/abort_multipart_upload?storage_key=k`, 400],
    ['abort of a foreign key', 'GET', `${base}/abort_multipart_upload?storage_key=k&upload_id=u`, 422],
  ])('%s: %s %s', async (_what, method, path, status) => {
    const answer = await call(method, path);
    expect(answer.status).toBe(status);
    expect(answer.body.message).toEqual(expect.any(String));
  });

  it.each([
    ['no files wrapper', { f1: { filename: 'a.mp4' } }, 400],
    ['a file without a name', { files: { f1: {} } }, 400],
    ['parts as text', { files: { f1: { part_count: '2', storage_key: 'k', upload_id: 'u' } } }, 400],
    ['no part', { files: { f1: { part_count: 0, storage_key: 'k', upload_id: 'u' } } }, 400],
    ['10,001 parts', { files: { f1: { part_count: 10_001, storage_key: 'k', upload_id: 'u' } } }, 400],
    ['half a part', { files: { f1: { part_count: 1.5, storage_key: 'k', upload_id: 'u' } } }, 400],
    [
      'both cases at once',
      { files: { f1: { filename: 'a.mp4', part_count: 1, storage_key: 'k', upload_id: 'u' } } },
      400,
    ],
    ['an unknown key', { files: { f1: { part_count: 1, storage_key: 'k', upload_id: 'u' } } }, 422],
    ['an array of files', { files: [{ filename: 'a.mp4' }] }, 400],
  ])('URLs for %s', async (_what, body, status) => {
    expect((await call('POST', `${base}/upload_urls`, body)).status).toBe(status);
  });

  it.each([
    ['no wrapper', () => call('PUT', base, { uploaded_videos: [], failed_videos: [] }), 400],
    ['no failed_videos', () => call('PUT', base, { vms_incident: { uploaded_videos: [] } }), 400],
    ['an unknown field', () => put({ titel: 'x' }), 400],
    ['another id in the body', () => put({ id: 'i9' }), 422],
    ['a time without milliseconds', () => put({ incident_at: '2026-08-02T10:11:12Z' }), 400],
    ['a time with an offset', () => put({ incident_at: '2026-08-02T10:11:12.000+02:00' }), 400],
    ['a day that does not exist', () => put({ incident_at: '2026-02-30T10:11:12.000Z' }), 400],
    ['a latitude of 91', () => put({ latitude: 91 }), 400],
    ['null for a title', () => put({ title: null }), 400],
    ['a video without an id', () => put({ uploaded_videos: [{ storage_key: storedKey }] }), 400],
    ['an uploaded video without a key', () => put({ uploaded_videos: [{ id: 'v1' }] }), 422],
    ['a key that nobody gave out', () => put({ uploaded_videos: [video({ storage_key: 'made/up' })] }), 422],
    [
      'a key whose object was not sent',
      () => put({ uploaded_videos: [video({ storage_key: unsentKey })] }),
      422,
    ],
    ['a key of another incident', () => put({ uploaded_videos: [video({ storage_key: strangeKey })] }), 422],
    [
      'a thumbnail that was not sent',
      () => put({ uploaded_videos: [video({ storage_thumbnail_key: unsentKey })] }),
      422,
    ],
    ['a video twice', () => put({ uploaded_videos: [video(), video()] }), 422],
    [
      'a video both uploaded and failed',
      () => put({ uploaded_videos: [video()], failed_videos: [{ id: 'v1', upload_errors: ['x'] }] }),
      422,
    ],
    ['one object for two videos', () => put({ uploaded_videos: [video(), video({ id: 'v2' })] }), 422],
    ['a failed video without a reason', () => put({ failed_videos: [{ id: 'v1', upload_errors: [] }] }), 422],
    ['errors under their other name', () => put({ failed_videos: [{ id: 'v1', errors: ['x'] }] }), 400],
    [
      'an end before the start',
      () =>
        put({
          uploaded_videos: [
            video({ started_at: '2026-08-02T10:00:01.000Z', ended_at: '2026-08-02T10:00:00.000Z' }),
          ],
        }),
      422,
    ],
  ])('an incident with %s', async (_what, send, status) => {
    const answer = await send();
    expect(answer).toMatchObject({ status, body: { message: expect.any(String) } });
    expect(simulator.incidents().has('i1')).toBe(false);
  });

  it.each([
    ['text', { rawBody: '{}', headers: { 'content-type': 'text/plain' } }, 415],
    ['broken JSON', { rawBody: '{"files":' }, 400],
    ['bytes that are no UTF-8', { rawBody: Buffer.from([0x22, 0xff, 0x22]) }, 400],
  ])('a body of %s', async (_what, options, status) => {
    expect((await callService(simulator, 'POST', `${base}/upload_urls`, options)).status).toBe(status);
  });

  it('URLs and completion for an upload that was aborted, with the words of storage', async () => {
    const upload = await openMultipart(simulator, 'i1', 'f7', 1);
    expect((await upload.abort()).status).toBe(200);
    const gone = { status: 404, body: { status: 404, message: expect.stringContaining('NoSuchUpload') } };
    expect(await upload.complete(['x'])).toMatchObject(gone);
    expect(await upload.abort()).toMatchObject(gone);
    const files = { f7: { part_count: 1, storage_key: upload.key, upload_id: upload.uploadId } };
    expect(await call('POST', `${base}/upload_urls`, { files })).toMatchObject(gone);
  });

  it('a completion that storage refuses', async () => {
    const upload = await openMultipart(simulator, 'i1', 'f8', 2);
    const sent = [];
    for (const url of upload.urls) sent.push((await putBytes(url, 'small')).etag ?? '');
    expect(await upload.complete(['x'])).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining('InvalidPart') },
    });
    expect(await upload.complete(sent)).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining('EntityTooSmall') },
    });
    expect((await upload.complete([])).status).toBe(400);
  });
});
