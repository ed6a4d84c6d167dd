import type { SimulatorOptions } from '../simulator.ts';
import type { StorageBackend } from './backend.ts';
import { openEmbeddedBackend, type EmbeddedContext } from './embedded-backend.ts';

/** service.md "Limits": files under 100 MB go in one piece; interpreted generously as 100 MiB. */
const MAX_SINGLE_PIECE_BYTES = 100 * 1024 ** 2;

export async function chooseStorage(
  options: SimulatorOptions,
  folder: string,
  context: EmbeddedContext,
): Promise<StorageBackend> {
  if (typeof options.storage === 'object') return options.storage;
  if (options.s3) {
    // Loaded only when asked for: the SDK takes half a second to load.
    const { openS3Backend } = await import('./s3-backend.ts');
    return openS3Backend(options.s3, context);
  }
  return openEmbeddedBackend(
    {
      folder,
      port: options.storagePort ?? 0,
      isDiscarding: options.discard ?? false,
      hashing: options.hashing ?? 'full',
      maxSinglePieceBytes: options.maxSinglePieceBytes ?? MAX_SINGLE_PIECE_BYTES,
    },
    context,
  );
}
