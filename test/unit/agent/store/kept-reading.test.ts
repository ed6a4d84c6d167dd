import { expect, it } from 'vitest';
import { createFindCamera } from '../../../../electron/agent/core/naming/camera-registry.ts';
import { clipDetails, keptReading } from '../../../../electron/agent/store/stored-details.ts';
import { settingsSchema } from '../../../../shared/domain/settings.ts';
import { firstClip, nx, sidecar, video } from '../../../helpers/export-evidence.ts';
import { clipRow, incidentRow, openQueue } from '../../../helpers/queue-fixture.ts';

const { cameras } = settingsSchema.parse({
  cameras: [{ match: 'Gate 4 North', cameraName: 'Gate 4 N', clockOffsetSeconds: 60 }],
});
/** The clip as a desk reads it that knows its camera, or does not. */
function detailsOf(knows: boolean, more: object = {}) {
  const findCamera = knows ? createFindCamera(cameras) : undefined;
  const watch = {
    timeZone: 'UTC',
    profile: 'auto',
    clockOffsetSeconds: 0,
    ...(findCamera && { findCamera }),
  };
  return clipDetails(firstClip('x', [nx], { watch, ...more }), null);
}

async function rowOf(state: 'queued' | 'uploaded', knows: boolean) {
  const queue = await openQueue();
  try {
    queue.tables.incidents.insert(incidentRow());
    queue.tables.clips.insert(clipRow({ path: nx, ...detailsOf(knows) }));
    const [row] = queue.tables.clips.ofIncident(incidentRow().id);
    if (row === undefined) throw new Error('no row');
    return { ...row, state };
  } finally {
    await queue.close();
  }
}

it('a camera that is named later names what is not yet sent', async () => {
  expect(keptReading(await rowOf('queued', false), detailsOf(true), false)).toMatchObject({
    cameraName: 'Gate 4 N',
  });
});

it.each([
  ['named', false, true],
  ['taken off the list', true, false],
])('a camera that is %s later leaves what was sent as it was, its times too', async (_what, before, now) => {
  const row = await rowOf('uploaded', before);
  const kept = keptReading(row, detailsOf(now), false);
  expect([kept.cameraName, kept.startedAt]).toEqual([row.cameraName, row.startedAt]);
});

it('what a sidecar says since counts for what was sent all the same', async () => {
  const said = sidecar({ videos: [video(nx, { cameraName: 'Written' })] });
  expect(keptReading(await rowOf('uploaded', false), detailsOf(true, said), true).cameraName).toBe('Written');
});

it('what a sidecar said of a clip stays while the sidecar says nothing', async () => {
  const startedAt = { ms: Date.parse('2026-05-01T18:30:05Z') };
  const sha256 = 'a'.repeat(64);
  const said = sidecar({ videos: [video(nx, { cameraName: 'Written', startedAt, sha256 })] });
  const row = { ...(await rowOf('queued', false)), ...detailsOf(false, said) };
  const kept = keptReading(row, detailsOf(false), false);
  expect([kept.cameraName, kept.startedAt, kept.expectedSha256]).toEqual(['Written', startedAt.ms, sha256]);
});

it.each([
  ['no sidecar is read', false, 5_000],
  ['a sidecar no longer says so', true, 0],
])('what a sidecar said of the clock, once %s', async (_what, hasSidecar, shiftMs) => {
  const fresh = detailsOf(false);
  const row = {
    ...(await rowOf('uploaded', false)),
    ...detailsOf(false, sidecar({ clockOffsetSeconds: 5 })),
  };
  expect((keptReading(row, fresh, hasSidecar).startedAt ?? 0) - (fresh.startedAt ?? 0)).toBe(shiftMs);
});
