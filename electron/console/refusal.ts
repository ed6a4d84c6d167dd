import type { Failure } from '../../shared/domain/failure.ts';

/** An answer that says no: why, in words for people, and when to come back. */
export interface Refusal {
  readonly status: 400 | 401 | 403 | 404 | 405 | 408 | 413 | 414 | 415 | 417 | 421 | 429 | 431 | 500;
  readonly text: string;
  /** Methods that the address does take; 405. */
  readonly allow?: string;
  /** True when a person sees it in a browser window, who needs to be told what to do. */
  readonly isPage?: true;
  /** Seconds after which it may be tried again; 429. */
  readonly retryAfterSeconds?: number;
}

/** A refusal as the answer to a call, so that the page shows it as it shows any other failure. */
export function refusalFailure({ status, text, retryAfterSeconds }: Refusal): Failure {
  const isOver = status === 401 || status === 403;
  return {
    code: 'CALL_FAULT',
    message: text,
    advice: isOver ? 'Open the console again from the terminal.' : 'Try again.',
    retryable: status === 408 || status === 429 || status === 500,
    status,
    ...(retryAfterSeconds !== undefined && { retryAfterMs: retryAfterSeconds * 1000 }),
  };
}
