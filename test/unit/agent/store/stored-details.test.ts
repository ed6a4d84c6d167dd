import { describe, expect, it } from 'vitest';
import { useExportDesk } from '../../../helpers/export-desk.ts';
import { sidecar, video } from '../../../helpers/export-evidence.ts';

const desk = useExportDesk();

describe('a sidecar that comes later', () => {
  it('gives the incident its title and the service learns of it', () => {
    desk().take(['a.mp4']);
    desk().settleAll();
    desk().take(['a.mp4'], sidecar({ title: 'A fight', description: 'Two men' }));
    expect(desk().incident()).toMatchObject({ title: 'A fight', description: 'Two men', version: 2 });
    expect(JSON.parse(desk().incident()?.sources ?? '')).toMatchObject({ title: { source: 'sidecar' } });
    expect(desk().putJob()).toBeDefined();
  });

  it('does not win over what was said on the command line', () => {
    desk().take(['a.mp4'], { overrides: { title: 'As I say' } });
    desk().take(['a.mp4'], sidecar({ title: 'A fight', description: 'Two men' }));
    expect(desk().incident()).toMatchObject({ title: 'As I say', description: 'Two men' });
  });

  it('loses to what is said on the command line afterwards', () => {
    desk().take(['a.mp4'], sidecar({ title: 'A fight' }));
    desk().take(['a.mp4'], { ...sidecar({ title: 'A fight' }), overrides: { title: 'As I say' } });
    expect(desk().incident()?.title).toBe('As I say');
  });

  it('that is taken away takes nothing back', () => {
    desk().take(['a.mp4'], sidecar({ title: 'A fight', description: 'Two men' }));
    desk().take(['a.mp4']);
    expect(desk().incident()).toMatchObject({ title: 'A fight', description: 'Two men' });
  });

  it.each([
    ['the name of the camera', { cameraName: 'Yard' }, { cameraName: 'Yard' }],
    ['the description of the camera', { cameraDescription: 'north' }, { cameraDescription: 'north' }],
    ['its position', { cameraLatitude: 1, cameraLongitude: 2 }, { cameraLatitude: 1, cameraLongitude: 2 }],
  ])('gives an uploaded clip %s without sending it again', (_what, said, expected) => {
    desk().take(['a.mp4']);
    desk().settleAll();
    desk().take(['a.mp4'], sidecar({ videos: [video('a.mp4', said)] }));
    expect(desk().clip('a.mp4')).toMatchObject({ ...expected, state: 'uploaded' });
    expect(desk().job('a.mp4')).toBeUndefined();
    expect(desk().putJob()).toBeDefined();
  });

  it.each([
    ['the name of the camera', { cameraName: 'Yard' }, { cameraName: 'Garden' }],
    ['the description of the camera', { cameraDescription: 'north' }, { cameraDescription: 'south' }],
    ['its position', { cameraLatitude: 1, cameraLongitude: 2 }, { cameraLatitude: 1, cameraLongitude: 3 }],
  ])('may correct %s', (_what, before, after) => {
    desk().take(['a.mp4'], sidecar({ videos: [video('a.mp4', before)] }));
    desk().settleAll();
    desk().take(['a.mp4'], sidecar({ videos: [video('a.mp4', after)] }));
    expect(desk().clip('a.mp4')).toMatchObject(after);
    expect(desk().putJob()).toBeDefined();
  });
});
