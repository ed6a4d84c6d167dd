import { z } from 'zod';
import { defineCall } from '../envelope.ts';

/** Most incidents that one call makes packs for. */
export const MAX_INCIDENTS = 50;

const sumOrNull = z.string().nullable();
const texts = z.array(z.string()).readonly();

/** A change, as the chain has it. Times are ISO 8601 UTC. */
const changeSchema = z.object({ at: z.string(), what: z.string(), account: z.string() }).readonly();

/** The proof of a clip. Hashes are SHA-256, lower-case hexadecimal; null: not known. */
export const clipProofSchema = z
  .object({
    found: sumOrNull,
    sent: sumOrNull,
    stated: sumOrNull,
    /** What storage and service answered; missing until the clip was sent under this chain. */
    receipt: z
      .object({
        /** Number of its row in the chain. */
        row: z.int(),
        at: z.string(),
        account: z.string(),
        storageKey: z.string(),
        etags: z.int(),
        requestIds: texts,
      })
      .readonly()
      .exactOptional(),
    changes: z.array(changeSchema).readonly(),
    /** What is missing for a complete chain: a sentence each. */
    missing: texts,
  })
  .readonly();
/** See `clipProofSchema`. */
export type ClipProof = z.infer<typeof clipProofSchema>;

/** The proof of an incident, and its custody packs, the newest last. */
export const incidentProofSchema = z
  .object({
    missing: texts,
    packs: z.array(z.object({ at: z.string(), manifestSha256: z.string() }).readonly()).readonly(),
  })
  .readonly();
/** The proof of clips and incidents, and the packs made of it. */
export const proofCalls = {
  /** Errors: NOT_FOUND. */
  'proof.ofClip': defineCall(z.strictObject({ clipId: z.string() }), clipProofSchema),
  /** Errors: NOT_FOUND. */
  'proof.ofIncident': defineCall(z.strictObject({ incidentId: z.string() }), incidentProofSchema),
  /**
   * Hashes the clip's file as it is now. `isSame` compares it with what was sent, otherwise with what was found;
   * missing when neither is known. Errors: NOT_FOUND; the FILE_ and ROOT_ codes, FILE_CHANGED among them.
   */
  'proof.checkFile': defineCall(
    z.strictObject({ clipId: z.string() }),
    z.object({ sha256: z.string(), isSame: z.boolean().exactOptional() }).readonly(),
  ),
  /** Makes custody packs in the data directory. Errors: NOT_FOUND, KEY_STORE, DISK_FULL, FILE_NO_ACCESS. */
  'proof.savePacks': defineCall(
    z.strictObject({ incidentIds: z.array(z.string()).min(1).max(MAX_INCIDENTS).readonly() }),
    z
      .object({
        packs: z
          .array(z.object({ incidentId: z.string(), folder: z.string(), missing: texts }).readonly())
          .readonly(),
      })
      .readonly(),
  ),
};
