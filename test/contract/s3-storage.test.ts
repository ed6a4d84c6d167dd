import { randomUUID } from 'node:crypto';
import { describe, it } from 'vitest';
import { defaultSettings } from '../simulator/settings.ts';
import { createSimulatorClock } from '../simulator/simulator-clock.ts';
import { openS3Backend, type S3Options } from '../simulator/storage/s3-backend.ts';
import type { ContractStore } from './contract-store.ts';
import { describeStorageContract } from './describe-storage-contract.ts';
import { describeStoreDifferences, storeBehaviours } from './describe-store-differences.ts';
import { shiftedSigning } from './shifted-signing.ts';

const { S3_ENDPOINT: endpoint, S3_KEY: accessKeyId, S3_SECRET: secretAccessKey, S3_KIND: kind } = process.env;

async function openStore(options: S3Options): Promise<ContractStore> {
  const settings = { ...defaultSettings };
  const clock = createSimulatorClock(() => settings.clockOffsetMs);
  const backend = await openS3Backend(options, { settings, clock });
  return { backend, signAt: shiftedSigning(settings), stop: () => backend.stop() };
}

if (endpoint && accessKeyId && secretAccessKey && (kind === 'swift' || kind === 'ceph')) {
  const makeStore = () =>
    openStore({ endpoint, accessKeyId, secretAccessKey, bucket: `contract-${randomUUID()}` });
  describeStorageContract(kind, makeStore);
  describeStoreDifferences(kind, makeStore, storeBehaviours[kind]);
} else {
  describe('storage contract: a real store', () => {
    it.skip('runs with npm run test:s3 (S3_ENDPOINT, S3_KEY, S3_SECRET, S3_KIND are not set)');
  });
}
