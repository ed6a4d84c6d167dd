import { describe, expect, it } from 'vitest';
import { incidentChangesSchema } from '../../../../../shared/domain/incident-edit.ts';
import type { IncidentDetail } from '../../../../../shared/domain/upload-view.ts';
import {
  changesOf,
  formOf,
  problemsOf,
  type IncidentForm,
} from '../../../../../renderer/features/uploads/incident-form.ts';

const incident: IncidentDetail = {
  row: {
    id: 'i1',
    title: 'Pitch invasion',
    folder: '/exports/a',
    state: 'sent',
    createdAt: '2026-05-01T20:00:00.000Z',
    incidentAt: '2026-05-01T19:30:05.000Z',
    uploaded: 1,
    failed: 0,
    leftOut: 0,
    pending: 0,
    sizeBytes: 1,
  },
  description: 'Two people',
  latitude: 51.5,
  longitude: -0.12,
  updatedAt: '2026-05-01T20:00:00.000Z',
  isSynced: true,
  folderGone: false,
  origins: [],
};
const edited = (change: Partial<IncidentForm>): IncidentForm => ({ ...formOf(incident), ...change });

describe('the form of an incident', () => {
  it('changes nothing as long as nothing was typed', () => {
    expect(changesOf(incident, formOf(incident))).toBeUndefined();
    expect(changesOf(incident, edited({ title: ' Pitch invasion ' }))).toBeUndefined();
  });

  it.each<[Partial<IncidentForm>, unknown]>([
    [{ title: 'Flare' }, { title: 'Flare' }],
    [{ description: ' ' }, { description: null }],
    [{ incidentAt: '2026-05-01T19:31:00.000Z' }, { incidentAt: '2026-05-01T19:31:00.000Z' }],
    [{ incidentAt: undefined }, { incidentAt: null }],
    [{ latitude: '48,2' }, { latitude: 48.2, longitude: -0.12 }],
    [
      { latitude: '', longitude: '' },
      { latitude: null, longitude: null },
    ],
  ])('with %o says %o, which the contract takes', (change, changes) => {
    const said = changesOf(incident, edited(change));
    expect(said).toEqual(changes);
    expect(incidentChangesSchema.safeParse(said).success).toBe(true);
  });

  it.each<[Partial<IncidentForm>, readonly string[]]>([
    [{}, []],
    [{ title: '  ' }, ['title']],
    [{ latitude: '91' }, ['latitude']],
    [{ longitude: '-180.5' }, ['longitude']],
    [{ latitude: 'north' }, ['latitude']],
    [{ latitude: '' }, ['latitude']],
    [{ latitude: '', longitude: '' }, []],
    [{ latitude: '-33.9', longitude: '151.2' }, []],
  ])('with %o has trouble in %o', (change, fields) => {
    expect([...problemsOf(edited(change)).keys()]).toEqual(fields);
  });
});
