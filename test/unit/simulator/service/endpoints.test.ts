import { afterEach, describe, expect, it } from 'vitest';
import { putBytes } from '../../../contract/put-bytes.ts';
import {
  startSimulator,
  type KeyPlacement,
  type Simulator,
  type SimulatorOptions,
} from '../../../simulator/index.ts';
import { askSingleUrl, callService, openMultipart } from '../call-service.ts';

let simulator: Simulator | undefined;
async function start(options: SimulatorOptions = {}): Promise<Simulator> {
  simulator = await startSimulator(options);
  return simulator;
}
afterEach(() => simulator?.stop());

describe('the simulated service', () => {
  it('takes an incident from the first URL to the last GET', async () => {
    const service = await start();
    const upload = await openMultipart(service, 'a b/c', 'f1', 2).catch(() => undefined);
    expect(upload).toBeUndefined(); // an id with a slash must be encoded in the path
    const id = encodeURIComponent('a b/c');
    const { key, url } = await askSingleUrl(service, id, 'v1');
    await putBytes(url, 'a clip');
    const written = {
      title: 'North gate',
      incident_at: '2026-08-02T10:11:12.000Z',
      longitude: -0.2,
      latitude: 51.5,
    };
    const first = await callService(service, 'PUT', `/vms/incidents/${id}`, {
      body: {
        vms_incident: {
          ...written,
          uploaded_videos: [],
          failed_videos: [{ id: 'v1', upload_errors: ['not yet'] }],
        },
      },
    });
    expect(first).toMatchObject({
      status: 201,
      body: { vms_incident: { id: 'a b/c', failed_videos: [{ upload_errors: ['not yet'] }] } },
    });
    const videos = [{ id: 'v1', storage_key: key, camera_name: 'North' }];
    const second = await callService(service, 'PUT', `/vms/incidents/${id}`, {
      body: { vms_incident: { uploaded_videos: videos, failed_videos: [] } },
    });
    expect(second.status).toBe(200);
    const { body } = await callService(service, 'GET', `/vms/incidents/${id}`);
    expect(body).toEqual(second.body);
    expect(body.vms_incident).toMatchObject({
      ...written,
      uploaded_videos: [{ ...videos[0], upload_errors: [] }],
      failed_videos: [],
    });
    expect(service.putHistory('a b/c').map(({ status }) => status)).toEqual([201, 200]);
  });

  it('answers URLs in the form of the case that was asked for', async () => {
    const service = await start({ maxUploadSizeMb: 500, urlLifetimeSeconds: 60 });
    const created = await callService(
      service,
      'GET',
      '/vms/incidents/i1/create_multipart_upload?file_id=big&filename=b.mp4',
    );
    expect(Object.keys(created.body)).toEqual(['storage_key', 'upload_id']);
    const { body } = await callService(service, 'POST', '/vms/incidents/i1/upload_urls', {
      body: { files: { big: { part_count: 3, ...created.body }, small: { filename: 's.jpg' } } },
    });
    expect(body).toMatchObject({ incident_id: 'i1', max_upload_size_mb: 500 });
    expect(body.uploads.big.signed_urls).toHaveLength(3);
    expect(body.uploads.big.storage_key).toBe(created.body.storage_key);
    expect(body.uploads.small.signed_urls).toMatch(/^http:.*X-Amz-Expires=60&/);
  });

  it('gives a file in one piece the same key until an incident lists it', async () => {
    const service = await start();
    const [first, again] = [await askSingleUrl(service, 'i1', 'v1'), await askSingleUrl(service, 'i1', 'v1')];
    expect(again.key).toBe(first.key);
    await putBytes(first.url, 'a clip');
    await callService(service, 'PUT', '/vms/incidents/i1', {
      body: { vms_incident: { uploaded_videos: [{ id: 'v1', storage_key: first.key }], failed_videos: [] } },
    });
    expect((await askSingleUrl(service, 'i1', 'v1')).key).not.toBe(first.key);
  });

  it.each([
    ['per-request', false],
    ['per-file', true],
  ] as const)('gives multipart uploads keys %s', async (multipartKeys, isSame) => {
    const service = await start({ multipartKeys });
    const [first, again] = [
      await openMultipart(service, 'i1', 'v1', 1),
      await openMultipart(service, 'i1', 'v1', 1),
    ];
    expect(first.uploadId).not.toBe(again.uploadId);
    expect(first.key === again.key).toBe(isSame);
  });

  it('repeats the answer to a second complete when set so', async () => {
    const service = await start({ repeatedComplete: 'same-answer' });
    const upload = await openMultipart(service, 'i1', 'v1', 1);
    const etag = (await putBytes(upload.urls[0] ?? '', 'a clip')).etag ?? '';
    expect((await upload.complete([etag])).status).toBe(200);
    expect(await upload.complete([etag])).toMatchObject({
      status: 200,
      body: { upload_id: upload.uploadId },
    });
  });

  it('shifts its Date header and its URLs with its clock', async () => {
    const threeDaysMs = 3 * 86_400_000;
    const service = await start({ clockOffsetMs: threeDaysMs });
    const { headers } = await callService(service, 'GET', '/periods');
    expect(Math.abs(Date.parse(String(headers.date)) - Date.now() - threeDaysMs)).toBeLessThan(5000);
    expect(headers['x-request-id']).toEqual(expect.any(String));
    const { url } = await askSingleUrl(service, 'i1', 'v1');
    expect((await putBytes(url, 'x')).status).toBe(200);
    service.configure({ clockOffsetMs: threeDaysMs + 7_200_000 });
    expect((await putBytes(url, 'x')).text).toContain('Request has expired');
  });

  it('starts with sample incidents when asked to', async () => {
    const service = await start({ sampleIncidents: true });
    for (const id of service.incidents().keys()) {
      expect((await callService(service, 'GET', `/vms/incidents/${id}`)).status).toBe(200);
    }
    expect(service.incidents().size).toBe(2);
  });

  it('refuses connections while it is offline, and then knows what it knew', async () => {
    const service = await start();
    const { key, url } = await askSingleUrl(service, 'i1', 'v1');
    await putBytes(url, 'kept');
    await service.goOffline();
    // Reset if another test of this process is starting a child, which has the closed listener for a moment
    await expect(callService(service, 'GET', '/periods')).rejects.toThrow(/ECONNREFUSED|ECONNRESET/);
    await service.goOnline();
    expect((await service.objects()).map((object) => object.key)).toEqual([key]);
    expect((await putBytes(url, 'kept')).status).toBe(200);
  });
});

describe('keys', () => {
  const keys = [
    { key: 'video-key', videoPermission: true },
    { key: 'plain-key', videoPermission: false },
  ];
  it.each([
    ['no key', undefined, 401, 401],
    ['an unknown key', 'Bearer other', 401, 401],
    ['a key without its scheme', 'video-key', 401, 401],
    ['a key without the video permission', 'Bearer plain-key', 403, 200],
    ['a key with the video permission', 'Bearer video-key', 404, 200],
  ])('%s', async (_what, authorization, videoStatus, otherStatus) => {
    const service = await start({ keys });
    expect((await callService(service, 'GET', '/vms/incidents/i1', { authorization })).status).toBe(
      videoStatus,
    );
    expect((await callService(service, 'GET', '/users?per_page=1', { authorization })).status).toBe(
      otherStatus,
    );
    expect((await callService(service, 'GET', '/periods', { authorization })).status).toBe(otherStatus);
  });

  it.each<[string, KeyPlacement, string, Record<string, string>]>([
    ['a header', { scheme: 'header', name: 'X-Api-Key' }, '/periods', { 'x-api-key': 'video-key' }],
    [
      'a header with a prefix',
      { scheme: 'header', name: 'Authorization', prefix: 'Token' },
      '/periods',
      { authorization: 'Token video-key' },
    ],
    ['a query parameter', { scheme: 'query', name: 'api_key' }, '/periods?api_key=video-key', {}],
  ])('are read from %s', async (_what, keyPlacement, path, headers) => {
    const service = await start({ keys, keyPlacement });
    expect((await callService(service, 'GET', path, { authorization: undefined, headers })).status).toBe(200);
    expect(
      (await callService(service, 'GET', '/periods', { authorization: 'Bearer video-key' })).status,
    ).toBe(401);
  });

  it('can be replaced while it runs', async () => {
    const service = await start();
    service.setKeys([]);
    expect((await callService(service, 'GET', '/periods')).status).toBe(401);
    service.setKeys([{ key: service.apiKey, videoPermission: true }]);
    expect((await callService(service, 'GET', '/periods')).status).toBe(200);
  });

  it('are not in the log of requests, nor are signatures', async () => {
    const service = await start({ keys, keyPlacement: { scheme: 'query', name: 'api_key' } });
    await callService(service, 'GET', '/periods?api_key=video-key');
    service.configure({ keyPlacement: { scheme: 'header', name: 'X-Api-Key' } });
    await callService(service, 'GET', '/periods', { headers: { 'x-api-key': 'video-key' } });
    service.configure({ keyPlacement: { scheme: 'bearer' } });
    const { url } = await askSingleUrl(service, 'i1', 'v1');
    await putBytes(url, 'x');
    const log = JSON.stringify(service.requests.all());
    expect(log).not.toContain('video-key');
    expect(log).not.toContain(new URL(url).searchParams.get('X-Amz-Signature'));
  });
});
