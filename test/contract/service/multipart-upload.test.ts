import { describe, expect, it } from 'vitest';
import { putBytes } from '../put-bytes.ts';
import { errorOf, going, useServiceDesk, valueOf } from './service-desk.ts';

const desk = useServiceDesk();

const INCIDENT = 'CASE 42';
const PATH = '/v1/vms/incidents/CASE%2042';
const PART = Buffer.alloc(5 * 1024 * 1024, 'a part, ');
const handle = { storage_key: 'vms/CASE-42/key 1', upload_id: 'upload+1/=&?' };

const open = (fileId = 'video-1') =>
  valueOf(desk().incidents.createMultipartUpload(INCIDENT, fileId, 'gate-12345678.mkv', going));

/** Opens an upload and sends two parts to the returned URLs. */
async function sendParts() {
  const opened = await open();
  const file = { part_count: 2, ...opened };
  const { uploads } = await valueOf(desk().incidents.getUploadUrls(INCIDENT, { 'video-1': file }, going));
  const { signed_urls: urls } = uploads['video-1'] as { signed_urls: readonly string[] };
  const etags: string[] = [];
  for (const [index, bytes] of [PART, Buffer.from('the end')].entries()) {
    const answer = await putBytes(urls[index] ?? '', bytes);
    etags.push((answer.etag ?? '').replaceAll('"', ''));
  }
  return { opened, etags };
}

describe('Multipart upload handle', () => {
  it('Multipart handle | storage_key | string, key of the object being uploaded', async () => {
    desk().answerNext({ ...handle, another: 1 });
    expect((await open()).storage_key).toBe(handle.storage_key);
    desk().answerNext({ ...handle, storage_key: 7 });
    const failed = desk().incidents.createMultipartUpload(INCIDENT, 'v', 'f.mkv', going);
    expect(await errorOf(failed)).toMatchObject({ code: 'API_SHAPE' });
  });

  it('Multipart handle | upload_id | string, identifier of the multipart upload', async () => {
    desk().answerNext({ ...handle, another: 1 });
    expect((await open()).upload_id).toBe(handle.upload_id);
    desk().answerNext({ storage_key: 'k' });
    const failed = desk().incidents.createMultipartUpload(INCIDENT, 'v', 'f.mkv', going);
    expect(await errorOf(failed)).toMatchObject({ code: 'API_SHAPE' });
  });
});

describe('1. Create Multipart Upload', () => {
  it('1 | address | GET /vms/incidents/{incident_id}/create_multipart_upload', async () => {
    await open();
    const path = `${PATH}/create_multipart_upload`;
    expect(desk().lastRequest()).toMatchObject({ method: 'GET', path, status: 200, bytesReceived: 0 });
  });

  it('1 | file_id | query, string, unique id of the file', async () => {
    await open('video 1 ü&=+?#');
    expect(desk().lastRequest().query['file_id']).toBe('video 1 ü&=+?#');
  });

  it('1 | filename | query, string', async () => {
    await open();
    expect(desk().lastRequest().query).toEqual({ file_id: 'video-1', filename: 'gate-12345678.mkv' });
  });

  it('1 | 200 | answers storage_key and upload_id', async () => {
    const opened = await open();
    expect(Object.keys(opened)).toEqual(['storage_key', 'upload_id']);
    expect(await desk().simulator.openUploads()).toContainEqual(
      expect.objectContaining({ key: opened.storage_key, uploadId: opened.upload_id }),
    );
  });
});

describe('3. Complete Multipart Upload', () => {
  const complete = (etags: readonly string[] = ['a', 'b']) =>
    desk().incidents.completeMultipartUpload(INCIDENT, handle, etags, going);

  it('3 | address | POST /vms/incidents/{incident_id}/complete_multipart_upload', async () => {
    desk().answerNext(handle);
    await complete();
    const path = `${PATH}/complete_multipart_upload`;
    expect(desk().lastRequest()).toMatchObject({ method: 'POST', path });
  });

  it('3 | storage_key | body, string, required', async () => {
    desk().answerNext(handle);
    await complete();
    expect(desk().lastRequest().body).toHaveProperty('storage_key', handle.storage_key);
  });

  it('3 | upload_id | body, string, required', async () => {
    desk().answerNext(handle);
    await complete();
    expect(desk().lastRequest().body).toHaveProperty('upload_id', handle.upload_id);
  });

  it('3 | parts | body, array of etags by part number, the first is that of the first part', async () => {
    const { opened, etags } = await sendParts();
    await valueOf(desk().incidents.completeMultipartUpload(INCIDENT, opened, etags, going));
    expect(desk().lastRequest()).toMatchObject({ status: 200, body: { ...opened, parts: etags } });
    expect(Object.keys(Object(desk().lastRequest().body)).toSorted()).toEqual([
      'parts',
      'storage_key',
      'upload_id',
    ]);
    expect(etags[0]).not.toBe(etags[1]);
  });

  it('3 | 200 | answers storage_key and upload_id', async () => {
    desk().answerNext({ ...handle, more: true });
    expect(await valueOf(complete())).toEqual(handle);
  });
});

describe('4. Abort Multipart Upload', () => {
  const abort = () => desk().incidents.abortMultipartUpload(INCIDENT, handle, going);

  it('4 | address | GET /vms/incidents/{incident_id}/abort_multipart_upload', async () => {
    desk().answerNext(handle);
    await abort();
    const path = `${PATH}/abort_multipart_upload`;
    expect(desk().lastRequest()).toMatchObject({ method: 'GET', path, bytesReceived: 0 });
  });

  it('4 | storage_key | query, string', async () => {
    desk().answerNext(handle);
    await abort();
    expect(desk().lastRequest().query['storage_key']).toBe(handle.storage_key);
  });

  it('4 | upload_id | query, string', async () => {
    desk().answerNext(handle);
    await abort();
    expect(desk().lastRequest().query).toEqual(handle);
  });

  it('4 | 200 | answers storage_key and upload_id', async () => {
    desk().answerNext({ ...handle, more: true });
    expect(await valueOf(abort())).toEqual(handle);
  });
});

describe('Multipart upload, states', () => {
  it('Multipart states | none to in progress | Create Multipart Upload answers key and id', async () => {
    const opened = await open();
    const uploads = (await desk().simulator.openUploads()).map(({ uploadId }) => uploadId);
    expect(uploads).toContain(opened.upload_id);
  });

  it('Multipart states | in progress | Get Upload Urls answers one signed URL for each part', async () => {
    const opened = await open();
    const file = { part_count: 3, ...opened };
    const { uploads } = await valueOf(desk().incidents.getUploadUrls(INCIDENT, { 'video-1': file }, going));
    expect(uploads['video-1']).toHaveProperty('signed_urls.length', 3);
    const stillOpen = (await desk().simulator.openUploads()).map(({ uploadId }) => uploadId);
    expect(stillOpen).toContain(opened.upload_id);
  });

  it('Multipart states | in progress to completed | Complete with all etags in order', async () => {
    const { opened, etags } = await sendParts();
    const done = desk().incidents.completeMultipartUpload(INCIDENT, opened, etags, going);
    expect(await valueOf(done)).toEqual(opened);
    const uploads = (await desk().simulator.openUploads()).map(({ uploadId }) => uploadId);
    expect(uploads).not.toContain(opened.upload_id);
    const object = (await desk().simulator.objects()).find(({ key }) => key === opened.storage_key);
    expect(object?.sizeBytes).toBe(PART.length + 'the end'.length);
  });

  it('Multipart states | in progress to aborted | Abort answers key and id', async () => {
    const opened = await open();
    expect(await valueOf(desk().incidents.abortMultipartUpload(INCIDENT, opened, going))).toEqual(opened);
    const uploads = (await desk().simulator.openUploads()).map(({ uploadId }) => uploadId);
    expect(uploads).not.toContain(opened.upload_id);
  });
});
