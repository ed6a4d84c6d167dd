import type { Failure } from '../../../../shared/domain/failure.ts';
import type { Result } from '../../../../shared/lib/result.ts';
import type { MediaFacts } from '../../core/naming/described-export.ts';

/** What the probe worker is asked. */
export interface ProbeQuestion {
  readonly id: number;
  /** Absolute path. */
  readonly path: string;
}

/** What the probe worker answers. */
export interface ProbeAnswer {
  readonly id: number;
  readonly result: Result<MediaFacts, Failure>;
}
