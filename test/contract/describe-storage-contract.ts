import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  md5,
  MIN_PART_BYTES,
  patternBytes,
  readAll,
  sendParts,
  sha256,
  type ContractStore,
} from './contract-store.ts';
import { putBytes, putHalf } from './put-bytes.ts';

const HOUR_MS = 3_600_000;
const large = (seed: number) => patternBytes(MIN_PART_BYTES, seed);

/** Behaviour that every store must share where the product relies on it; over real HTTP with signed URLs. */
export function describeStorageContract(name: string, makeStore: () => Promise<ContractStore>): void {
  describe(`storage contract: ${name}`, () => {
    let store: ContractStore;
    const key = (suffix = 'clip.mp4') => `contract/${randomUUID()}/${suffix}`;
    beforeAll(async () => {
      store = await makeStore();
    });
    afterAll(() => store.stop());

    describe('signed URLs', () => {
      it('sign the host alone and no checksum', async () => {
        const url = new URL(await store.backend.signPut(key()));
        expect(url.searchParams.get('X-Amz-SignedHeaders')).toBe('host');
        expect([...url.searchParams.keys()].join().toLowerCase()).not.toContain('checksum');
        expect(url.searchParams.get('X-Amz-Expires')).toBe('7200');
      });

      it('are refused when they have expired', async () => {
        const expired = await store.signAt(-3 * HOUR_MS, () => store.backend.signPut(key()));
        expect(await putBytes(expired, 'late')).toMatchObject({ status: 403, code: 'AccessDenied' });
      });

      it.each([
        ['a longer lifetime', (url: string) => url.replace('X-Amz-Expires=7200', 'X-Amz-Expires=604800')],
        ['another key', (url: string) => url.replace('clip.mp4', 'clap.mp4')],
        ['another part number', (url: string) => url.replace('partNumber=1', 'partNumber=2')],
        ['another signature', (url: string) => url.replace(/Signature=[0-9a-f]{4}/, 'Signature=0123')],
      ])('are refused with %s', async (_what, alter) => {
        const target = key();
        const uploadId = await store.backend.createUpload(target);
        const url = await store.backend.signPart(target, uploadId, 1);
        expect(alter(url)).not.toBe(url);
        expect(await putBytes(alter(url), 'altered')).toMatchObject({
          status: 403,
          code: 'SignatureDoesNotMatch',
        });
        await store.backend.abortUpload(target, uploadId);
      });

      it('take a Content-Type that was not signed', async () => {
        const answer = await putBytes(await store.backend.signPut(key()), 'x', {
          headers: { 'content-type': 'video/mp4' },
        });
        expect(answer.status).toBe(200);
      });

      it('answer 403 in full although megabytes of the body are still to come', async () => {
        const url = (await store.backend.signPut(key())).replace('clip.mp4', 'clap.mp4');
        expect(await putBytes(url, large(1), { firstBytes: 65_536 })).toMatchObject({
          status: 403,
          code: 'SignatureDoesNotMatch',
        });
      });
    });

    describe('one piece', () => {
      it.each([
        ['a few bytes', patternBytes(1000, 1)],
        ['nothing', Buffer.alloc(0)],
        ['several megabytes', patternBytes(3_000_001, 2)],
      ])('is stored whole: %s', async (_what, bytes) => {
        const target = key();
        const answer = await putBytes(await store.backend.signPut(target), bytes);
        expect(answer).toMatchObject({ status: 200, etag: `"${md5(bytes)}"` });
        expect(await store.backend.hasObject(target)).toBe(true);
        expect((await readAll(store.backend.readObject(target))).equals(bytes)).toBe(true);
        expect(await store.backend.sha256OfObject(target)).toBe(sha256(bytes));
      });

      it('is replaced as a whole by a second PUT', async () => {
        const target = key();
        const url = await store.backend.signPut(target);
        await putBytes(url, 'the first and longer one');
        await putBytes(url, 'the second');
        expect((await readAll(store.backend.readObject(target))).toString()).toBe('the second');
      });

      it('is not stored when the body ends early', async () => {
        const target = key();
        await putHalf(await store.backend.signPut(target), patternBytes(100_000, 1), 200_000);
        const after = key();
        await putBytes(await store.backend.signPut(after), 'after');
        expect(await store.backend.hasObject(after)).toBe(true);
        expect(await store.backend.hasObject(target)).toBe(false);
      });

      it('keeps a key with spaces, plus signs and letters of other scripts', async () => {
        const target = key('Kamera 3+4 – Süd.mp4');
        expect(await putBytes(await store.backend.signPut(target), 'named')).toMatchObject({ status: 200 });
        expect((await store.backend.objects()).map((object) => object.key)).toContain(target);
      });
    });

    describe('multipart', () => {
      it('puts parts together by number, whatever the order in which they came', async () => {
        const target = key();
        const tail = patternBytes(12_345, 3);
        const { uploadId, listed } = await sendParts(store.backend, target, [
          { partNumber: 3, bytes: tail },
          { partNumber: 1, bytes: large(1) },
          { partNumber: 2, bytes: large(2) },
        ]);
        const whole = Buffer.concat([large(1), large(2), tail]);
        const composite = md5(Buffer.concat(listed.map(({ etag }) => Buffer.from(etag, 'hex'))));
        expect(await store.backend.completeUpload(target, uploadId, listed)).toEqual({
          ok: true,
          value: { etag: `${composite}-3` },
        });
        expect((await readAll(store.backend.readObject(target))).equals(whole)).toBe(true);
        expect(await store.backend.sha256OfObject(target)).toBe(sha256(whole));
        expect(await store.backend.isUploadOpen(target, uploadId)).toBe(false);
      });

      it('keeps the last of two parts with the same number', async () => {
        const target = key();
        const { uploadId } = await sendParts(store.backend, target, [{ partNumber: 1, bytes: large(1) }]);
        const again = await putBytes(await store.backend.signPart(target, uploadId, 1), large(9));
        expect(again.etag).toBe(`"${md5(large(9))}"`);
        const listed = [{ partNumber: 1, etag: md5(large(9)) }];
        expect(await store.backend.completeUpload(target, uploadId, listed)).toMatchObject({ ok: true });
        expect(await store.backend.sha256OfObject(target)).toBe(sha256(large(9)));
      });

      it('lists an open upload with its parts', async () => {
        const target = key();
        const { uploadId, listed } = await sendParts(store.backend, target, [
          { partNumber: 2, bytes: large(2) },
        ]);
        const open = await store.backend.openUploads();
        expect(open.find((upload) => upload.key === target)).toEqual({
          key: target,
          uploadId,
          parts: [{ partNumber: 2, sizeBytes: MIN_PART_BYTES, etag: listed[0]?.etag }],
        });
        await store.backend.abortUpload(target, uploadId);
      });

      it('refuses a part under 5 MiB that is not the last, at the end', async () => {
        const target = key();
        const { uploadId, listed } = await sendParts(store.backend, target, [
          { partNumber: 1, bytes: large(1).subarray(1) },
          { partNumber: 2, bytes: large(2) },
        ]);
        expect(await store.backend.completeUpload(target, uploadId, listed)).toMatchObject({
          ok: false,
          error: { status: 400, code: 'EntityTooSmall' },
        });
        expect(await store.backend.hasObject(target)).toBe(false);
      });

      it.each([
        ['an etag that is not the part’s', [{ partNumber: 1, etag: md5('something else') }]],
        [
          'a part that was not sent',
          [
            { partNumber: 1, etag: md5(large(1)) },
            { partNumber: 2, etag: md5(large(2)) },
          ],
        ],
      ])('refuses a list with %s', async (_what, listed) => {
        const target = key();
        const { uploadId } = await sendParts(store.backend, target, [{ partNumber: 1, bytes: large(1) }]);
        expect(await store.backend.completeUpload(target, uploadId, listed)).toMatchObject({
          ok: false,
          error: { status: 400, code: 'InvalidPart' },
        });
        await store.backend.abortUpload(target, uploadId);
      });

      it('frees what was sent when it is aborted, and then knows the upload no more', async () => {
        const target = key();
        const { uploadId } = await sendParts(store.backend, target, [{ partNumber: 1, bytes: large(1) }]);
        const url = await store.backend.signPart(target, uploadId, 2);
        expect(await store.backend.abortUpload(target, uploadId)).toMatchObject({ ok: true });
        expect((await store.backend.openUploads()).map((upload) => upload.key)).not.toContain(target);
        const unknown = { ok: false, error: { status: 404, code: 'NoSuchUpload' } };
        expect(await store.backend.abortUpload(target, uploadId)).toMatchObject(unknown);
        expect(await putBytes(url, large(2))).toMatchObject({ status: 404, code: 'NoSuchUpload' });
      });
    });
  });
}
