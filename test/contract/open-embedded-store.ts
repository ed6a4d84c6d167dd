import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createFaultBook } from '../simulator/faults/fault-book.ts';
import { createRandom } from '../simulator/faults/random.ts';
import { createRequestLog } from '../simulator/request-log.ts';
import { defaultSettings } from '../simulator/settings.ts';
import { createSimulatorClock } from '../simulator/simulator-clock.ts';
import { openEmbeddedBackend, type EmbeddedOptions } from '../simulator/storage/embedded-backend.ts';
import { shiftedSigning } from './shifted-signing.ts';
import type { ContractStore } from './contract-store.ts';

/** Embedded storage alone, in a temporary folder. */
export async function openEmbeddedStore(options: Partial<EmbeddedOptions> = {}): Promise<ContractStore> {
  const folder = await mkdtemp(join(tmpdir(), 'storage-contract-'));
  const settings = { ...defaultSettings };
  const backend = await openEmbeddedBackend(
    {
      folder,
      port: 0,
      isDiscarding: false,
      hashing: 'full',
      maxSinglePieceBytes: 100 * 1024 ** 2,
      ...options,
    },
    {
      settings,
      clock: createSimulatorClock(() => settings.clockOffsetMs),
      log: createRequestLog(),
      faults: createFaultBook(createRandom(1)),
      ownerOf: () => undefined,
    },
  );
  return {
    backend,
    signAt: shiftedSigning(settings),
    async stop() {
      await backend.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
