import type { Failure, FailureCode } from '../../shared/domain/failure.ts';
import type { SeenState } from '../../shared/domain/seen-export.ts';
import type { NoticeCode } from '../../shared/ipc/events.ts';

/** A fact about what the agent did; also one line of `--json` output. Carries keys, never secrets. */
export type AgentEvent =
  | {
      readonly event: 'incident.found';
      readonly incidentId: string;
      readonly title: string;
      readonly folder: string;
      readonly clips: number;
    }
  | {
      readonly event: 'incident.synced';
      readonly incidentId: string;
      readonly title: string;
      readonly uploaded: number;
      readonly failed: number;
      readonly pending: number;
    }
  | {
      readonly event: 'clip.uploaded';
      readonly incidentId: string;
      readonly clipId: string;
      readonly file: string;
      readonly bytes: number;
      readonly sha256: string;
      readonly storageKey: string;
    }
  | {
      readonly event: 'clip.failed';
      readonly incidentId: string;
      readonly clipId: string;
      readonly file: string;
      readonly code: FailureCode;
      readonly message: string;
      readonly advice: string;
    }
  | {
      /** Emitted after `clip.uploaded`: what was sent is not what was found. */
      readonly event: 'clip.altered';
      readonly incidentId: string;
      readonly clipId: string;
      readonly file: string;
      readonly code: 'FILE_ALTERED';
      readonly message: string;
      readonly foundSha256?: string;
      readonly sentSha256: string;
    }
  | {
      readonly event: 'clip.retrying';
      readonly incidentId: string;
      readonly clipId: string;
      readonly file: string;
      readonly code: FailureCode;
      readonly message: string;
      readonly delayMs: number;
    }
  | {
      readonly event: 'file.held';
      readonly folder: string;
      readonly file: string;
      readonly code: FailureCode;
      readonly message: string;
      readonly advice: string;
    }
  | {
      /** The standing of an export that is not completely queued; emitted when it changes, and once per start. */
      readonly event: 'export.state';
      /** Path of the watched folder. */
      readonly root: string;
      /** Name of the export folder; empty for loose files in the root. */
      readonly folder: string;
      readonly state: SeenState;
      /** ISO 8601 UTC. */
      readonly since: string;
      /** When it is queued if nothing changes until then; ISO 8601 UTC. */
      readonly settlesAt?: string;
      readonly files: number;
      readonly message: string;
      readonly advice: string;
    }
  | {
      /** Clean-up removed an export from its watched folder. */
      readonly event: 'export.cleanedUp';
      readonly incidentId: string;
      readonly title: string;
      readonly action: 'moved' | 'deleted';
      readonly files: number;
    }
  | {
      readonly event: 'circuit.paused';
      readonly circuit: string;
      readonly code: FailureCode;
      readonly message: string;
      readonly advice: string;
      readonly delayMs: number;
    }
  | { readonly event: 'circuit.resumed'; readonly circuit: string }
  | {
      readonly event: 'root.offline';
      readonly root: string;
      readonly code: FailureCode;
      readonly message: string;
      readonly advice: string;
    }
  | { readonly event: 'root.online'; readonly root: string }
  | {
      /** A person must say whether it holds the evidence that was sent before. */
      readonly event: 'root.waiting';
      readonly root: string;
      readonly code: FailureCode;
      readonly message: string;
      readonly advice: string;
    }
  | { readonly event: 'warning'; readonly code: NoticeCode; readonly message: string };

/** Announces facts; nothing is controlled by events. `on` returns the function that unsubscribes. */
export class AgentEvents {
  readonly #listeners = new Set<(event: AgentEvent) => void>();

  on(listener: (event: AgentEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Emits a failure that does not end anything, as a warning. */
  readonly warn = ({ code, message, advice }: Failure): void =>
    this.emit({ event: 'warning', code, message: `${message} ${advice}` });

  emit(event: AgentEvent): void {
    for (const listener of this.#listeners) listener(event);
  }
}
