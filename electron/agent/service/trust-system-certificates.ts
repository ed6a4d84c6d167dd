import { once } from 'node:events';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { Worker } from 'node:worker_threads';
import { z } from 'zod';
import type { Logger } from '../ports.ts';

/** A store of a few hundred certificates is read in half a second; a token that asks for a PIN may never answer. */
const READ_LIMIT_MS = 15_000;
const messagesSchema = z.tuple([z.array(z.string())]);

/**
 * Adds the certificate authorities of the system's store to those that Node brings, for every connection that is
 * opened afterwards: desks behind a proxy that inspects TLS need its authority. For hosts that cannot be started with
 * `--use-system-ca`. The store is read in a thread of its own. Never rejects: without it, Node's own list counts.
 */
export async function trustSystemCertificates(logger: Logger): Promise<void> {
  const reader = new Worker(new URL('./system-certificates-worker.ts', import.meta.url), { execArgv: [] });
  try {
    const messages: unknown = await once(reader, 'message', { signal: AbortSignal.timeout(READ_LIMIT_MS) });
    const [ofSystem] = messagesSchema.parse(messages);
    setDefaultCACertificates([...new Set([...getCACertificates('default'), ...ofSystem])]);
    logger.debug("The system's certificate authorities are trusted", { certificates: ofSystem.length });
  } catch (error) {
    logger.warn("The system's certificate authorities could not be read; only Node's own are used", {
      error,
    });
  } finally {
    await reader.terminate();
  }
}
