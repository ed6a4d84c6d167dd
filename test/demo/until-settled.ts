import type { EventBook } from './event-book.ts';
import type { SampleExport } from './sample-types.ts';
import { incidentIdOf } from './verify.ts';

/** Resolves when the agent has reported every clip of the samples to the service. */
export async function untilSettled(samples: readonly SampleExport[], book: EventBook): Promise<undefined> {
  await book.until(() => samples.every((sample) => isSettled(sample, book)));
  return undefined;
}

function isSettled(sample: SampleExport, book: EventBook): boolean {
  const id = incidentIdOf(sample.folder, book);
  const last = book.events.findLast((event) => event.event === 'incident.synced' && event.incidentId === id);
  if (last?.event !== 'incident.synced') return false;
  return last.pending === 0 && last.uploaded + last.failed === sample.clips.length;
}
