import type { AgentSignal } from '../../../shared/ipc/events.ts';
import { observeSpeed, speedOf, startSpeedMeter } from '../core/speed-meter.ts';
import type { Clock } from '../ports.ts';
import type { ClipTransfer } from '../upload/transfer-meter.ts';

/** Time between two signals while bytes move, milliseconds. */
const TICK_MS = 250;
/** A line that has been still for this long is at rest, milliseconds: till then the speed is seen to fall. */
const REST_MS = 3000;

/** Where the transfer stands. */
export interface TransferReading {
  readonly bytesTotal: number;
  readonly bytesDone: number;
  readonly clips: readonly ClipTransfer[];
}

/** Where the figures come from. */
export interface TransferSource {
  /** Bytes that left since the start, repeated ones included. Cheap: asked for each piece that goes onto the line. */
  sentBytes(): number;
  /** Undefined when there is no agent to be read any more. */
  read(): TransferReading | undefined;
}

/** Tells how the bytes move. */
export interface ProgressSignals {
  /** Bytes left. Cheap: called for each piece that goes onto the line. */
  moved(): void;
}

/**
 * Makes the teller: nothing while the line rests, four signals a second while bytes move, and one with speed 0 when it
 * comes to rest.
 */
export function createProgressSignals(
  clock: Clock,
  source: TransferSource,
  emit: (signal: AgentSignal) => void,
  stop: AbortSignal,
): ProgressSignals {
  let isTelling = false;

  async function tellUntilRest(): Promise<void> {
    let speed = startSpeedMeter(source.sentBytes(), clock.monotonic());
    let movedMs = clock.monotonic();
    for (;;) {
      await clock.sleep(TICK_MS, stop);
      const reading = source.read();
      if (reading === undefined) return;
      const now = clock.monotonic();
      const sentBytes = source.sentBytes();
      if (sentBytes > speed.bytes) movedMs = now;
      speed = observeSpeed(speed, sentBytes, now);
      const isAtRest = now > movedMs && (reading.clips.length === 0 || now - movedMs >= REST_MS);
      emit(progressSignal(reading, isAtRest ? 0 : (speedOf(speed) ?? 0)));
      if (isAtRest) return;
    }
  }

  return {
    moved() {
      if (isTelling || stop.aborted) return;
      isTelling = true;
      tellUntilRest()
        // The sleep ends with the audience
        .catch(() => undefined)
        .finally(() => {
          isTelling = false;
        });
    },
  };
}

function progressSignal(reading: TransferReading, bytesPerSecond: number): AgentSignal {
  const { bytesTotal, bytesDone, clips } = reading;
  return { kind: 'progress', bytesPerSecond: Math.round(bytesPerSecond), bytesTotal, bytesDone, clips };
}
