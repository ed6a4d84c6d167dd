import type { Agent, Clock } from '../agent/index.ts';
import type { Output } from './output.ts';
import { bytesDone, progressLine } from './progress-line.ts';
import { observeSpeed, speedOf, startSpeedMeter } from '../agent/core/speed-meter.ts';

/** Time between two drawings, milliseconds: faster, and the figures cannot be read. */
const REDRAW_MS = 250;

/** Draws the progress line until the answered function is called, which takes it away. */
export function showProgress(session: {
  readonly agent: Agent;
  readonly output: Output;
  readonly clock: Clock;
}): () => void {
  const { agent, output, clock } = session;
  if (!output.showsProgress) return () => undefined;
  const ended = new AbortController();
  const first = agent.progress();
  const bytesBefore = first.bytesUploaded;
  let meter = startSpeedMeter(bytesDone(first), clock.monotonic());
  const draw = (): void => {
    const progress = agent.progress();
    meter = observeSpeed(meter, bytesDone(progress), clock.monotonic());
    const bytesPerSecond = speedOf(meter);
    output.progress(progressLine({ progress, bytesBefore, bytesPerSecond, columns: output.columns() }));
  };
  const loop = async (): Promise<void> => {
    while (!ended.signal.aborted) {
      draw();
      await clock.sleep(REDRAW_MS, ended.signal).catch(() => undefined);
    }
  };
  void loop();
  return () => {
    ended.abort();
    output.progress(undefined);
  };
}
