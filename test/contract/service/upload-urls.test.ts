import { describe, expect, it } from 'vitest';
import { useEvidenceRun } from './evidence-run.ts';
import { going, useServiceDesk, valueOf } from './service-desk.ts';

const desk = useServiceDesk();
const run = useEvidenceRun();

const single = { filename: 'gate-12345678.mkv' };
const multipart = { part_count: 2, storage_key: 'vms/k', upload_id: 'u' };
const empty = { incident_id: 'CASE-42', max_upload_size_mb: -1, uploads: {} };

/** Asks for the URLs of files; without a given answer the simulator's own is used. */
async function ask(
  files: Parameters<ReturnType<typeof desk>['incidents']['getUploadUrls']>[1],
  answer?: object,
) {
  if (answer !== undefined) desk().answerNext(answer);
  return valueOf(desk().incidents.getUploadUrls('CASE-42', files, going));
}

describe('2. Get Upload Urls', () => {
  it('2 | address | POST /vms/incidents/{incident_id}/upload_urls', async () => {
    await ask({}, empty);
    const path = '/v1/vms/incidents/CASE-42/upload_urls';
    expect(desk().lastRequest()).toMatchObject({ method: 'POST', path });
  });

  it('2 | files | body, required, an object keyed by file id', async () => {
    await ask({ 'video-1': single, 'video-2': multipart }, empty);
    expect(desk().lastRequest().body).toEqual({ files: { 'video-1': single, 'video-2': multipart } });
    await ask({}, empty);
    expect(desk().lastRequest().body).toEqual({ files: {} });
  });

  it('2 | part_count | multipart: integer, required, number of parts', async () => {
    const [asked] = await run().of('getUploadUrls', 'Gate 4/long.ts');
    const id = await run().clipId('Gate 4/long.ts');
    expect(asked?.body).toHaveProperty(`files.${id}.part_count`, 3);
    expect(await run().of('putPart', 'Gate 4/long.ts')).toHaveLength(3);
  });

  it('2 | storage_key | multipart: string, required, the key of Create Multipart Upload', async () => {
    const id = await run().clipId('Gate 4/long.ts');
    const [asked] = await run().of('getUploadUrls', 'Gate 4/long.ts');
    const { storage_key: key } =
      (await run().written('Gate 4')).uploaded_videos.find((video) => video.id === id) ?? {};
    expect(asked?.body).toHaveProperty(`files.${id}.storage_key`, key);
  });

  it('2 | upload_id | multipart: string, required', async () => {
    const id = await run().clipId('Gate 4/long.ts');
    const [asked] = await run().of('getUploadUrls', 'Gate 4/long.ts');
    const [completed] = run().bench.simulator.requests.of('completeMultipartUpload');
    expect(completed?.uploadId).toMatch(/./);
    expect(asked?.body).toHaveProperty(`files.${id}.upload_id`, completed?.uploadId);
  });

  it('2 | filename | single piece: string, required, and nothing else', async () => {
    const id = await run().clipId('Ramp/plain.dav');
    const [asked] = await run().of('getUploadUrls', 'Ramp/plain.dav');
    const { files } = (asked?.body ?? {}) as { files: Record<string, unknown> };
    expect(files[id]).toEqual({ filename: `plain-${id.slice(0, 8)}.dav` });
  });

  it('2 | thumbnails | use the single-piece case', async () => {
    const id = `${await run().clipId('Gate 4/gate.mkv')}-thumbnail`;
    const asked = run().bench.simulator.requests.of('getUploadUrls', { fileId: id })[0];
    const { files } = (asked?.body ?? {}) as { files: Record<string, unknown> };
    expect(files[id]).toEqual({ filename: expect.stringMatching(/^gate-[0-9a-f]{8}\.jpg$/) });
  });

  it('2 | single or chunked | small files go in one piece, larger ones in parts', async () => {
    expect(await run().of('putObject', 'Ramp/plain.dav')).toHaveLength(1);
    expect(await run().of('putPart', 'Ramp/plain.dav')).toEqual([]);
    expect(await run().of('createMultipartUpload', 'Ramp/plain.dav')).toEqual([]);
    expect(await run().of('createMultipartUpload', 'Gate 4/long.ts')).toHaveLength(1);
    expect(await run().of('putObject', 'Gate 4/long.ts')).toEqual([]);
  });

  it('2 | incident_id | 200: string', async () => {
    expect(await ask({}, empty)).toMatchObject({ incident_id: 'CASE-42' });
    expect(await ask({ 'video-1': single })).toMatchObject({ incident_id: 'CASE-42' });
  });

  it('2 | max_upload_size_mb | 200: number', async () => {
    expect((await ask({}, { ...empty, max_upload_size_mb: 512 })).max_upload_size_mb).toBe(512);
    expect((await ask({ 'video-1': single })).max_upload_size_mb).toBe(-1);
  });

  it('2 | uploads | 200: object keyed by file id', async () => {
    const { uploads } = await ask({ 'video-1': single, 'video-2': single });
    expect(Object.keys(uploads)).toEqual(['video-1', 'video-2']);
  });

  it('2 | uploads.storage_key | 200: string; the clip is listed under it', async () => {
    const id = await run().clipId('Ramp/plain.dav');
    const [sent] = await run().of('putObject', 'Ramp/plain.dav');
    const [video] = (await run().written('Ramp')).uploaded_videos;
    expect(video).toMatchObject({ id, storage_key: sent?.key });
  });

  it('2 | uploads.signed_urls | 200, multipart: array, one URL a part, in part order', async () => {
    const parts = (await run().of('putPart', 'Gate 4/long.ts')).toSorted(
      (left, right) => (left.partNumber ?? 0) - (right.partNumber ?? 0),
    );
    expect(parts.map(({ partNumber, bytesReceived }) => [partNumber, bytesReceived])).toEqual([
      [1, 5_242_880],
      [2, 5_242_880],
      [3, 12_000_000 - 2 * 5_242_880],
    ]);
    const id = await run().clipId('Gate 4/long.ts');
    await run().bench.expectWhole({ failed: ['Gate 4/refused.avi'] });
    expect((await run().written('Gate 4')).uploaded_videos.map((video) => video.id)).toContain(id);
  });

  it('2 | uploads.signed_urls | 200, single piece: one string', async () => {
    const [sent] = await run().of('putObject', 'Ramp/plain.dav');
    expect(sent).toMatchObject({ method: 'PUT', listener: 'storage', bytesReceived: 5000, status: 200 });
  });

  it('2 | parts | are uploaded directly to the signed URLs, not to the service', async () => {
    const { requests, storageUrl } = run().bench.simulator;
    const sent = [...requests.of('putObject'), ...requests.of('putPart')];
    expect(sent.filter(({ status }) => status === 200)).toHaveLength(6);
    for (const { headers } of sent) {
      expect(headers['host']).toBe(new URL(storageUrl).host);
      expect(headers).not.toHaveProperty('authorization');
    }
    const told = requests.all().filter(({ listener }) => listener === 'service');
    for (const { headers } of told) expect(headers['content-type'] ?? 'none').not.toContain('octet');
    expect(Math.max(...told.map(({ bytesReceived: size }) => size))).toBeLessThan(4000);
  });

  it('2 | etags | each part upload returns an etag, which is sent when it is completed', async () => {
    const [completed] = run().bench.simulator.requests.of('completeMultipartUpload');
    const { parts } = (completed?.body ?? {}) as { parts: readonly string[] };
    expect(parts).toHaveLength(3);
    expect(completed?.status).toBe(200);
    for (const etag of parts) expect(etag).toMatch(/^[0-9a-f]{32}$/);
  });

  it('2 | not shown: quotes around etags | gap 9 | sent without them', () => {
    const [completed] = run().bench.simulator.requests.of('completeMultipartUpload');
    expect(JSON.stringify(completed?.body)).not.toContain('\\"');
  });

  it('2 | not shown: headers of a signed PUT | gap 8 | Content-Length only, no Content-Type', async () => {
    const [sent] = await run().of('putObject', 'Ramp/plain.dav');
    expect(sent?.headers).toMatchObject({ 'content-length': '5000' });
    for (const name of ['content-type', 'expect', 'transfer-encoding', 'authorization'])
      expect(sent?.headers).not.toHaveProperty(name);
  });

  it('2 | not shown: what may stand in filename | gap 30 | ASCII stem, part of the id, extension', async () => {
    const id = await run().clipId('Gate 4/gate.mkv');
    const [asked] = await run().of('getUploadUrls', 'Gate 4/gate.mkv');
    expect(asked?.body).toHaveProperty(`files.${id}.filename`, `gate-${id.slice(0, 8)}.mkv`);
  });
});
