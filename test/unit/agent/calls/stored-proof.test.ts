import { rm } from 'node:fs/promises';
import { expect, it, onTestFinished } from 'vitest';
import { storedProof } from '../../../../electron/agent/calls/stored-proof.ts';
import { createSystemClock } from '../../../../electron/agent/system-clock.ts';
import { openQueue } from '../../../helpers/queue-fixture.ts';

async function noteIn(change: string) {
  const queue = await openQueue();
  onTestFinished(() => queue.close());
  queue.db.exec(change);
  const note = () =>
    storedProof.note(queue.dir, { clock: createSystemClock() }, 'key.trusted', {
      origin: 'https://a.example',
    });
  return { ...queue, note };
}

it('notes in the chain what was done at a terminal', async () => {
  const { db, note } = await noteIn('');
  expect(await note()).toMatchObject({ ok: true });
  expect(db.prepare('SELECT action FROM audit').pluck().all()).toEqual(['key.trusted']);
});

it('says why nothing could be noted in a queue; without one, there is nothing to note it in', async () => {
  const { note, file } = await noteIn(
    "CREATE TRIGGER full BEFORE INSERT ON audit BEGIN SELECT RAISE(ABORT, 'no'); END",
  );
  expect(await note()).toMatchObject({ ok: false, error: { code: 'DATA_FOLDER' } });
  await rm(file);
  expect(await note()).toMatchObject({ ok: true });
});
