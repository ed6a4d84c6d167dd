import { describe, expect, it } from 'vitest';
import { createArrivalsStore, readDrop, type DroppedItem } from '../../../../renderer/stores/arrivals.ts';

describe('what arrives from outside', () => {
  it('waits in its order, each folder once, and counts from the first', () => {
    const arrivals = createArrivalsStore();
    arrivals.addFolders(['/a', '/b']);
    arrivals.nextFolder();
    arrivals.addFolders(['/b', '/c']);
    expect(arrivals.getState()).toMatchObject({ folders: ['/b', '/c'], total: 3 });
    arrivals.nextFolder();
    arrivals.nextFolder();
    arrivals.addFolders(['/d']);
    expect(arrivals.getState()).toMatchObject({ folders: ['/d'], total: 1 });
    arrivals.leaveFolders();
    expect(arrivals.getState().folders).toEqual([]);
  });

  it('keeps what was asked for last until it is shown', () => {
    const arrivals = createArrivalsStore();
    arrivals.show({ kind: 'failed' });
    arrivals.show({ kind: 'incident', incidentId: 'i2' });
    expect(arrivals.getState().wanted).toEqual({ kind: 'incident', incidentId: 'i2' });
    arrivals.shown();
    expect(arrivals.getState().wanted).toBeUndefined();
  });

  it('counts the incidents that were asked for, also the same one again', () => {
    const arrivals = createArrivalsStore();
    const ask = (incidentId: string) => {
      arrivals.show({ kind: 'incident', incidentId });
      arrivals.shown();
      return arrivals.getState().asked;
    };
    expect(arrivals.getState().asked).toBeUndefined();
    expect([ask('i1'), ask('i1'), ask('i2')]).toEqual([
      { rowId: 'incident:i1', times: 1 },
      { rowId: 'incident:i1', times: 2 },
      { rowId: 'incident:i2', times: 3 },
    ]);
    arrivals.show({ kind: 'incident', incidentId: 'i2', clipId: 'c1' });
    arrivals.shown();
    expect(arrivals.getState().asked).toEqual({ rowId: 'clip:c1', times: 4 });
    arrivals.show({ kind: 'failed' });
    arrivals.shown();
    expect(arrivals.getState().asked).toEqual({ rowId: 'clip:c1', times: 4 });
  });
});

const item = (name: string, isDirectory: boolean | undefined, kind = 'file'): DroppedItem => ({
  kind,
  getAsFile: () => (kind === 'file' ? new File([], name) : null),
  webkitGetAsEntry: () => (isDirectory === undefined ? null : { isDirectory }),
});

it('tells folders from files, and leaves out what is neither', () => {
  const drop = readDrop([
    item('Gate 4', true),
    item('clip.mp4', false),
    item('text', undefined, 'string'),
    item('Gate 5', true),
    item('from an archive', undefined),
  ]);
  expect(drop.folders.map(({ name }) => name)).toEqual(['Gate 4', 'Gate 5']);
  expect(drop.files).toBe(2);
});
