import { request } from 'node:http';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { readAll } from '../../../contract/contract-store.ts';
import { putBytes, putHalf } from '../../../contract/put-bytes.ts';
import { startSimulator, type Simulator, type SimulatorOptions } from '../../../simulator/index.ts';
import { askSingleUrl, openMultipart } from '../call-service.ts';

let simulator: Simulator | undefined;
async function start(options: SimulatorOptions = {}): Promise<Simulator> {
  simulator = await startSimulator(options);
  return simulator;
}
afterEach(() => simulator?.stop());

describe('embedded storage', () => {
  it('answers 400 RequestTimeout when the body stops coming', async () => {
    const service = await start({ requestTimeoutMs: 60 });
    const { url, key } = await askSingleUrl(service, 'i1', 'f1');
    const answer = await new Promise<string>((resolve, reject) => {
      const sent = request(
        url,
        { method: 'PUT', headers: { 'content-length': 100 }, agent: false },
        (response) => {
          response
            .setEncoding('utf8')
            .on('data', (text: string) => resolve(`${response.statusCode} ${text}`));
        },
      );
      sent.on('error', reject);
      sent.write('only a little');
    });
    expect(answer).toMatch(/^400 .*<Code>RequestTimeout<\/Code>/s);
    expect((await service.objects()).map((object) => object.key)).not.toContain(key);
  });

  it('keeps nothing of a body that ended early', async () => {
    const service = await start();
    const { url } = await askSingleUrl(service, 'i1', 'f1');
    await putHalf(url, Buffer.alloc(10_000), 20_000);
    const [request] = await service.requests.ended('putObject');
    expect(request).toMatchObject({ dropped: true, fileId: 'f1' });
    await expect.poll(() => readdir(join(service.folder, 'incoming'))).toEqual([]);
    expect(await service.objects()).toEqual([]);
  });

  it.each([
    ['one piece over the limit for one piece', { maxSinglePieceBytes: 10 }, 'EntityTooLarge'],
    ['a file over max_upload_size_mb', { maxUploadSizeMb: 1 }, 'EntityTooLarge'],
  ])('refuses %s', async (_what, options, code) => {
    const { url } = await askSingleUrl(await start(options), 'i1', 'f1');
    expect(await putBytes(url, Buffer.alloc(1024 * 1024 + 1))).toMatchObject({ status: 400, code });
  });

  it('compares a Content-MD5 with what came', async () => {
    const { url } = await askSingleUrl(await start(), 'i1', 'f1');
    const wrong = await putBytes(url, 'hello', { headers: { 'content-md5': 'AAAAAAAAAAAAAAAAAAAAAA==' } });
    expect(wrong).toMatchObject({ status: 400, code: 'BadDigest' });
    const right = await putBytes(url, 'hello', { headers: { 'content-md5': 'XUFAKrxLKna5cZ2REBfFkg==' } });
    expect(right.status).toBe(200);
  });

  it('takes PUT only', async () => {
    const { url } = await askSingleUrl(await start(), 'i1', 'f1');
    expect(await putBytes(url, '', { method: 'DELETE' })).toMatchObject({
      status: 405,
      code: 'MethodNotAllowed',
    });
  });

  it('keeps sizes and digests but no bytes when it discards', async () => {
    const service = await start({ discard: true });
    const { url, key } = await askSingleUrl(service, 'i1', 'f1');
    await putBytes(url, 'hello');
    expect(await service.objects()).toEqual([
      { key, sizeBytes: 5, etag: '5d41402abc4b2a76b9719d911017c592' },
    ]);
    expect(await service.sha256OfObject(key)).toMatch(/^2cf24dba5fb0a30e/);
    await expect(readAll(service.readObject(key))).rejects.toThrow('discards bytes');
  });

  it('gives etags that are no MD5 when hashing is off, and composes them', async () => {
    const service = await start({ hashing: 'none' });
    const upload = await openMultipart(service, 'i1', 'f1', 1);
    const { etag = '' } = await putBytes(upload.urls[0] ?? '', 'hello');
    expect(etag).not.toMatch(/^"[0-9a-f]{32}"$/);
    expect((await upload.complete([etag.replaceAll('"', '')])).status).toBe(200);
    expect(await service.sha256OfObject(upload.key)).toMatch(/^2cf24dba5fb0a30e/);
  });

  it('removes parts from the disk when an upload is aborted', async () => {
    const service = await start();
    const upload = await openMultipart(service, 'i1', 'f1', 1);
    await putBytes(upload.urls[0] ?? '', 'a part');
    expect(await readdir(join(service.folder, 'parts', upload.uploadId))).toEqual(['00001']);
    await upload.abort();
    expect(await readdir(join(service.folder, 'parts'))).toEqual([]);
    expect(await service.openUploads()).toEqual([]);
  });
});
