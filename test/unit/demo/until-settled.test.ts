import { expect, it } from 'vitest';
import { createEventBook } from '../../demo/event-book.ts';
import type { ToldEvent } from '../../demo/run-agent.ts';
import { samplesFor } from '../../demo/samples.ts';
import { untilSettled } from '../../demo/until-settled.ts';

const [sample] = samplesFor(true);
const folder = sample?.folder ?? '';
const clips = sample?.clips.length ?? 0;
const title = 'any';
const found: ToldEvent = { event: 'incident.found', incidentId: 'a', title, folder, clips };
const synced = (uploaded: number, failed: number, pending: number): ToldEvent => ({
  event: 'incident.synced',
  incidentId: 'a',
  title,
  uploaded,
  failed,
  pending,
});

it.each([
  { name: 'nothing was told', told: [], isSettled: false },
  { name: 'the incident is known', told: [found], isSettled: false },
  { name: 'a clip waits', told: [found, synced(clips - 1, 0, 1)], isSettled: false },
  { name: 'a clip was not seen yet', told: [found, synced(clips - 1, 0, 0)], isSettled: false },
  { name: 'a clip went back', told: [found, synced(clips, 0, 0), synced(clips - 1, 0, 1)], isSettled: false },
  { name: 'all clips are told', told: [found, synced(clips - 1, 1, 0)], isSettled: true },
])('answers $isSettled when $name', async ({ told, isSettled }) => {
  const book = createEventBook();
  for (const event of told) book.add(event);
  let answer = false;
  void untilSettled(sample === undefined ? [] : [sample], book).then(() => (answer = true));
  await new Promise(setImmediate);
  expect(answer).toBe(isSettled);
});
