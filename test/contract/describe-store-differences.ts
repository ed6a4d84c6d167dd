import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MIN_PART_BYTES, patternBytes, sendParts, type ContractStore } from './contract-store.ts';
import { putBytes } from './put-bytes.ts';

/** Where stores differ: the code of the refusal, or `accepted`. The client must not rely on any store's strictness. */
export interface StoreBehaviour {
  readonly chunkedBody: string;
  readonly partsOutOfOrder: string;
  readonly listWithoutSentPart: string;
  readonly completeAgain: string;
  readonly completeAfterAbort: string;
  readonly partNumber10001: string;
  readonly unsignedAmzHeader: string;
  readonly expiredMessage: RegExp;
}

/** The observed behaviour of each store. `embedded` is as strict as the strictest. */
export const storeBehaviours: Readonly<Record<'embedded' | 'swift' | 'ceph', StoreBehaviour>> = {
  embedded: {
    chunkedBody: 'MissingContentLength',
    partsOutOfOrder: 'InvalidPartOrder',
    listWithoutSentPart: 'InvalidPart',
    completeAgain: 'NoSuchUpload',
    completeAfterAbort: 'NoSuchUpload',
    partNumber10001: 'InvalidArgument',
    unsignedAmzHeader: 'AccessDenied',
    expiredMessage: /Request has expired/,
  },
  swift: {
    chunkedBody: 'accepted',
    partsOutOfOrder: 'InvalidPartOrder',
    listWithoutSentPart: 'accepted',
    completeAgain: 'accepted',
    completeAfterAbort: 'NoSuchUpload',
    partNumber10001: 'InvalidArgument',
    unsignedAmzHeader: 'AccessDenied',
    expiredMessage: /Request has expired/,
  },
  ceph: {
    chunkedBody: 'MissingContentLength',
    partsOutOfOrder: 'accepted',
    listWithoutSentPart: 'InvalidPart',
    completeAgain: 'accepted',
    completeAfterAbort: 'InternalError',
    partNumber10001: 'accepted',
    unsignedAmzHeader: 'accepted',
    expiredMessage: /AccessDenied/,
  },
};

const HOUR_MS = 3_600_000;

/** Checks that a store is as strict or as lax as described. */
export function describeStoreDifferences(
  name: string,
  makeStore: () => Promise<ContractStore>,
  behaviour: StoreBehaviour,
): void {
  describe(`where stores differ: ${name}`, () => {
    let store: ContractStore;
    const key = () => `differences/${randomUUID()}/clip.mp4`;
    const outcome = (answer: { code: string | undefined }) => answer.code ?? 'accepted';
    const twoParts = (target: string) =>
      sendParts(store.backend, target, [
        { partNumber: 1, bytes: patternBytes(MIN_PART_BYTES, 1) },
        { partNumber: 2, bytes: patternBytes(MIN_PART_BYTES, 2) },
      ]);
    const complete: typeof store.backend.completeUpload = (...input) =>
      store.backend.completeUpload(...input);
    const codeOf = async (completing: ReturnType<typeof complete>) => {
      const completed = await completing;
      return completed.ok ? 'accepted' : completed.error.code;
    };
    beforeAll(async () => {
      store = await makeStore();
    });
    afterAll(() => store.stop());

    it(`chunked body without a length: ${behaviour.chunkedBody}`, async () => {
      const answer = await putBytes(await store.backend.signPut(key()), 'chunked', { isChunked: true });
      expect(outcome(answer)).toBe(behaviour.chunkedBody);
    });

    it(`x-amz header that was not signed: ${behaviour.unsignedAmzHeader}`, async () => {
      const headers = { 'x-amz-meta-camera': 'north' };
      const answer = await putBytes(await store.backend.signPut(key()), 'x', { headers });
      expect(outcome(answer)).toBe(behaviour.unsignedAmzHeader);
    });

    it(`words for an expired URL: ${behaviour.expiredMessage}`, async () => {
      const expired = await store.signAt(-3 * HOUR_MS, () => store.backend.signPut(key()));
      expect((await putBytes(expired, 'late')).text).toMatch(behaviour.expiredMessage);
    });

    it(`part number 10,001: ${behaviour.partNumber10001}`, async () => {
      const target = key();
      const uploadId = await store.backend.createUpload(target);
      const answer = await putBytes(await store.backend.signPart(target, uploadId, 10_001), 'one too many');
      expect(outcome(answer)).toBe(behaviour.partNumber10001);
    });

    it(`list out of order: ${behaviour.partsOutOfOrder}`, async () => {
      const target = key();
      const { uploadId, listed } = await twoParts(target);
      expect(await codeOf(complete(target, uploadId, listed.toReversed()))).toBe(behaviour.partsOutOfOrder);
    });

    it(`list that leaves out a sent part: ${behaviour.listWithoutSentPart}`, async () => {
      const target = key();
      const { uploadId, listed } = await twoParts(target);
      expect(await codeOf(complete(target, uploadId, listed.slice(0, 1)))).toBe(
        behaviour.listWithoutSentPart,
      );
    });

    it(`complete again with the same list: ${behaviour.completeAgain}`, async () => {
      const target = key();
      const { uploadId, listed } = await twoParts(target);
      expect(await codeOf(complete(target, uploadId, listed))).toBe('accepted');
      expect(await codeOf(complete(target, uploadId, listed))).toBe(behaviour.completeAgain);
    });

    it(`complete after abort: ${behaviour.completeAfterAbort}`, async () => {
      const target = key();
      const { uploadId, listed } = await twoParts(target);
      await store.backend.abortUpload(target, uploadId);
      expect(await codeOf(complete(target, uploadId, listed))).toBe(behaviour.completeAfterAbort);
    });
  });
}
