import { expect, it } from 'vitest';
import { applyCameras, applyToIncident } from '../../../../electron/agent/intake/apply-cameras.ts';
import { createSiteRules } from '../../../../electron/agent/core/naming/recognisers.ts';
import { settingsSchema } from '../../../../shared/domain/settings.ts';
import { useExportDesk } from '../../../helpers/export-desk.ts';
import { nx, nxStart, video } from '../../../helpers/export-evidence.ts';

const desk = useExportDesk();
const yard = 'Yard_2026_05_01_19_30_05.mkv';

/** Settings with these cameras, to apply to the queue. */
function today(cameras: readonly object[]) {
  const { tables, clock, queue } = desk().parts();
  const settings = settingsSchema.parse({
    cameras,
    watch: [{ path: '/exports', timeZone: 'Europe/London' }],
  });
  const roots = settings.watch.map((watch) => ({ settings: watch, realPath: watch.path }));
  const deps = { tables, clock, queue, roots, site: createSiteRules(settings) };
  const apply = () => applyCameras(deps, settings.cameras, new AbortController().signal);
  return { deps, apply };
}

const gate4 = {
  match: 'Gate 4 North',
  cameraName: 'North gate',
  cameraId: 'CAM-4',
  latitude: 51.5,
  longitude: -0.2,
};

it('renames what is still to be sent, at once and once', async () => {
  desk().take([nx, yard]);
  await today([gate4]).apply();
  expect(desk().clip(nx)).toMatchObject({
    cameraName: 'North gate',
    cameraId: 'CAM-4',
    cameraLatitude: 51.5,
  });
  expect(JSON.parse(desk().clip(nx).sources)).toMatchObject({ cameraName: { source: 'registry' } });
  expect(desk().clip(yard).cameraName).toBe('Yard');
  const version = desk().incident()?.version;
  await today([gate4]).apply();
  expect(desk().incident()?.version).toBe(version);
  // Without its entry, the camera is again read from the name
  await today([]).apply();
  expect(desk().clip(nx)).toMatchObject({ cameraName: 'Gate 4 North', cameraLatitude: null });
});

it('corrects the clock of a camera in what is still to be sent', async () => {
  desk().take([nx]);
  await today([{ match: 'Gate 4 North', clockOffsetSeconds: -60 }]).apply();
  expect(desk().clip(nx).startedAt).toBe(Date.parse(nxStart) - 60_000);
});

it('leaves what was sent as it is, until a person asks', async () => {
  desk().take([nx]);
  const { id } = desk().clip(nx);
  desk().tables.clips.uploaded(id, 'key', null, desk().clock.now());
  const { apply, deps } = today([gate4]);
  await apply();
  expect(desk().clip(nx).cameraName).toBe('Gate 4 North');
  expect(applyToIncident(deps, 'incident-1', 'all')).toBe(1);
  expect(desk().clip(nx).cameraName).toBe('North gate');
  expect(applyToIncident(deps, 'incident-1', 'all')).toBe(0);
});

it('never goes against a sidecar', async () => {
  desk().take([nx], { sidecar: { videos: [video(nx, { cameraName: 'Said' })], extra: {} } });
  await today([gate4]).apply();
  expect(desk().clip(nx)).toMatchObject({ cameraName: 'Said', cameraId: 'CAM-4' });
});
