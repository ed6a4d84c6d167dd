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

  it('keeps the incident that was asked for last until it is shown', () => {
    const arrivals = createArrivalsStore();
    arrivals.showIncident('i1');
    arrivals.showIncident('i2');
    expect(arrivals.getState().incidentId).toBe('i2');
    arrivals.incidentShown();
    expect(arrivals.getState().incidentId).toBeUndefined();
  });
});
