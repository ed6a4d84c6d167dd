import { describe, expect, it } from 'vitest';
import { createArrivalsStore } from '../../../../renderer/stores/arrivals.ts';

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
});
