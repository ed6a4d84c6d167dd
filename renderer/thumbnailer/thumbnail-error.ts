import type { NoThumbnailReason } from '../../shared/domain/thumbnail-answer.ts';

/** Ends a way to a thumbnail, with the reason that is answered when no other way succeeds. */
export class ThumbnailError extends Error {
  readonly reason: NoThumbnailReason;
  readonly codec: string | undefined;

  constructor(reason: NoThumbnailReason, codec?: string | null) {
    super(reason);
    this.reason = reason;
    this.codec = codec ?? undefined;
  }
}
