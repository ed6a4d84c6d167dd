import {
  DEFAULT_MULTIPART_THRESHOLD_BYTES,
  MAX_PART_BYTES,
  MAX_PART_COUNT,
} from '../../../../shared/domain/settings.ts';

const MIB = 1024 * 1024;
/** First part size that is tried, bytes (service.md gap 5: 8 MiB): parts of it are read once, and sent from memory. */
const FIRST_PART_SIZE_BYTES = 8 * MIB;
/** Largest object, bytes (5 TiB: what the common S3-compatible stores take). */
export const MAX_OBJECT_BYTES = 5 * 1024 * 1024 * MIB;

/** Settings that shape a plan; a part size given here grows by doubling when it would need too many parts. */
export interface PlanRules {
  readonly thresholdBytes?: number;
  readonly partSizeBytes?: number;
}

/** How a file is sent. A multipart plan is stored and stays as it is for that upload (service.md gap 5). */
export type PartPlan =
  | { readonly kind: 'single' }
  | { readonly kind: 'multipart'; readonly partSizeBytes: number; readonly partCount: number }
  | { readonly kind: 'too-large'; readonly limitBytes: number };

/** Chooses single piece or parts, and the part size, by service.md gaps 4 and 5. */
export function planParts(sizeBytes: number, rules: PlanRules = {}): PartPlan {
  if (sizeBytes < (rules.thresholdBytes ?? DEFAULT_MULTIPART_THRESHOLD_BYTES)) return { kind: 'single' };
  if (sizeBytes > MAX_OBJECT_BYTES) return { kind: 'too-large', limitBytes: MAX_OBJECT_BYTES };
  let partSizeBytes = rules.partSizeBytes ?? FIRST_PART_SIZE_BYTES;
  while (Math.ceil(sizeBytes / partSizeBytes) > MAX_PART_COUNT) partSizeBytes *= 2;
  partSizeBytes = Math.min(partSizeBytes, MAX_PART_BYTES);
  return { kind: 'multipart', partSizeBytes, partCount: Math.ceil(sizeBytes / partSizeBytes) };
}

/** Bytes of a file that one part covers. */
export interface PartRange {
  readonly offset: number;
  readonly length: number;
}

/** The range of part `partNumber` (1 to `partCount`). Throws for a number outside the plan. */
export function partRange(
  plan: { readonly partSizeBytes: number; readonly partCount: number },
  partNumber: number,
  sizeBytes: number,
): PartRange {
  if (!Number.isInteger(partNumber) || partNumber < 1 || partNumber > plan.partCount) {
    throw new RangeError(`Part ${partNumber} is not one of 1 to ${plan.partCount}`);
  }
  const offset = (partNumber - 1) * plan.partSizeBytes;
  return { offset, length: Math.min(plan.partSizeBytes, sizeBytes - offset) };
}
