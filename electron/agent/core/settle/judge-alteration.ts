import type { Alteration } from '../../../../shared/domain/upload-view.ts';

/** A clip's file as it was found; null: not known. */
export interface FoundFile {
  readonly foundCtimeNs: string | null;
  readonly foundSha256: string | null;
}

/** What was sent of it. `ctimeNs`: its change time when the last byte had been sent. */
export interface SentFile {
  readonly ctimeNs: string | undefined;
  readonly sha256: string;
}

/**
 * Whether a file is another than the one that was found, whatever its size and modification time say. Equal sums settle
 * it: names and rights move the change time too. Without a sum the change time is all there is to go by.
 */
export function judgeAlteration(found: FoundFile, sent: SentFile): Alteration | undefined {
  const { foundSha256, foundCtimeNs } = found;
  if (foundSha256 !== null)
    return foundSha256 === sent.sha256 ? undefined : { foundSha256, sentSha256: sent.sha256 };
  const isMoved = foundCtimeNs !== null && sent.ctimeNs !== undefined && foundCtimeNs !== sent.ctimeNs;
  return isMoved ? { sentSha256: sent.sha256 } : undefined;
}

/** The sentence that stays with the clip: what is known, and no more. */
export function alterationText({ foundSha256, sentSha256 }: Alteration): string {
  return foundSha256 === undefined
    ? `The file was changed, or renamed or given other rights, after it was found and before it was sent. It was not hashed when it was found, so what changed is not known. SHA-256 as sent: ${sentSha256}.`
    : `The file was changed after it was found and before it was sent. SHA-256 as found: ${foundSha256}; as sent: ${sentSha256}.`;
}

/** Largest clip that `auto` hashes before it is queued, bytes (256 MiB): that takes less than a second on a local disk. */
export const HASHED_AT_ONCE_BYTES = 256 * 1024 * 1024;

/** Whether a clip of this size is hashed before it is queued. */
export function isHashedAtIntake(rule: 'auto' | 'always' | 'never', sizeBytes: number): boolean {
  return rule === 'always' || (rule === 'auto' && sizeBytes < HASHED_AT_ONCE_BYTES);
}
