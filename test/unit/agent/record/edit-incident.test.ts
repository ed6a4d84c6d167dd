import { describe, expect, it } from 'vitest';
import { editIncident } from '../../../../electron/agent/record/edit-incident.ts';
import type { IncidentChanges } from '../../../../shared/domain/incident-edit.ts';
import { useExportDesk } from '../../../helpers/export-desk.ts';
import { sidecar } from '../../../helpers/export-evidence.ts';
import { jobRow } from '../../../helpers/queue-fixture.ts';

const desk = useExportDesk();

const edit = (changes: IncidentChanges, id = 'incident-1') => editIncident(desk().parts(), id, changes);
const origins = (): unknown => JSON.parse(desk().incident()?.sources ?? '');
const byPerson = { source: 'person', confidence: 'high' };
const position = { latitude: 51.5, longitude: -0.1 };
/** The service's copy after the last PUT. */
const told = (details: object): void => {
  desk().tables.incidents.synced(
    'incident-1',
    desk().clock.now(),
    desk().incident()?.version ?? 0,
    JSON.stringify(details),
  );
};

describe('editIncident', () => {
  it('keeps what a person says, who said it, and makes the PUT due', () => {
    desk().take(['a.mp4']);
    desk().settleAll();
    expect(desk().putJob()).toBeUndefined();
    const incidentAt = '2026-05-01T18:30:05.000Z';
    expect(edit({ title: 'A fight', description: 'Two men', incidentAt, ...position })).toEqual({
      ok: true,
      value: { version: 2 },
    });
    expect(desk().incident()).toMatchObject({
      title: 'A fight',
      description: 'Two men',
      incidentAt: Date.parse(incidentAt),
      ...position,
      version: 2,
    });
    expect(origins()).toMatchObject({
      title: byPerson,
      description: byPerson,
      incidentAt: byPerson,
      latitude: byPerson,
      longitude: byPerson,
    });
    expect(desk().putJob()).toMatchObject({ state: 'ready' });
  });

  it('leaves alone what was not named', () => {
    desk().take(['a.mp4'], sidecar({ title: 'A fight', description: 'Two men', ...position }));
    edit({ title: 'No fight' });
    expect(desk().incident()).toMatchObject({ title: 'No fight', description: 'Two men', ...position });
    expect(origins()).toMatchObject({ title: byPerson, description: { source: 'sidecar' } });
  });

  it('works before the service was asked, and the PUT comes with the first record', () => {
    desk().take(['a.mp4']);
    expect(edit({ title: 'A fight' })).toMatchObject({ ok: true });
    expect(desk().putJob()).toBeUndefined();
    desk().tables.incidents.checked('incident-1', desk().clock.now(), null, null);
    desk().parts().queue.arm('incident-1');
    expect(desk().putJob()).toMatchObject({ state: 'ready' });
  });

  it('changes nothing when the same is said again', () => {
    desk().take(['a.mp4']);
    edit({ title: 'A fight', description: null });
    const before = desk().everything();
    expect(edit({ title: 'A fight', description: null })).toEqual({ ok: true, value: { version: 2 } });
    expect(desk().everything()).toEqual(before);
  });

  it('clears the refusal of the record, and tries it again', () => {
    desk().take(['a.mp4']);
    desk().settleAll();
    desk().tables.jobs.put(
      jobRow({ kind: 'put-incident', subject: 'incident-1', pool: 'record', state: 'failed' }),
    );
    desk().tables.incidents.fail('incident-1', '{}');
    edit({ title: 'Shorter' });
    expect(desk().incident()?.failure).toBeNull();
    expect(desk().putJob()).toMatchObject({ state: 'ready', attempts: 0 });
  });

  it('says so when there is no such incident', () => {
    expect(edit({ title: 'A fight' }, 'incident-9')).toMatchObject({
      ok: false,
      error: { code: 'NOT_FOUND' },
    });
  });
});

describe('what a person emptied', () => {
  it('is empty before the service was told it', () => {
    desk().take(['a.mp4'], sidecar({ description: 'Two men', ...position }));
    edit({ incidentAt: null, latitude: null, longitude: null });
    expect(desk().incident()).toMatchObject({ incidentAt: null, latitude: null, longitude: null });
  });

  it('is told as an empty text when it is the description, for one that is left out stays in the service', () => {
    desk().take(['a.mp4'], sidecar({ description: 'Two men' }));
    edit({ description: null });
    expect(desk().incident()?.description).toBe('');
  });

  it('is not told at all when there never was a description', () => {
    desk().take(['Gate 4 2026-05-01 19.30.05.mp4']);
    edit({ description: null });
    expect(desk().incident()?.description).toBeNull();
  });

  it.each([
    [{ incidentAt: null }, ['changes.incidentAt']],
    [{ latitude: null, longitude: null }, ['changes.latitude', 'changes.longitude']],
  ])('is refused when the service knows it and nothing can make it forget: %j', (changes, fields) => {
    desk().take(['a.mp4'], sidecar(position));
    told({ incident_at: '2026-05-01T18:30:05.000Z', ...position });
    const before = desk().everything();
    const refused = edit({ title: 'A fight', ...changes });
    expect(refused).toMatchObject({ ok: false, error: { code: 'CALL_INPUT' } });
    expect(refused.ok ? [] : refused.error.fields?.map(({ name }) => name)).toEqual(fields);
    expect(desk().everything()).toEqual(before);
  });

  it('is refused too while the service is being told', () => {
    desk().take(['a.mp4'], sidecar(position));
    desk().tables.jobs.put(
      jobRow({ kind: 'put-incident', subject: 'incident-1', pool: 'record', state: 'leased' }),
    );
    expect(edit({ latitude: null, longitude: null })).toMatchObject({ ok: false });
    expect(edit({ latitude: 1, longitude: 2 })).toMatchObject({ ok: true });
  });
});

describe('the word of a person', () => {
  const later = [
    ['a sidecar', sidecar({ title: 'S', description: 'S', latitude: 1, longitude: 2 })],
    ['the command line', { overrides: { title: 'C', description: 'C', incidentAtMs: 5 } }],
    ['a look at the folder', {}],
  ] as const;

  it.each(later)('stands against %s', (_who, more) => {
    desk().take(['a.mp4']);
    edit({ title: 'P', description: 'P', incidentAt: '2026-05-01T18:30:05.000Z', ...position });
    const before = desk().incident();
    desk().take(['a.mp4'], more);
    expect(desk().incident()).toEqual(before);
  });

  it.each(later)('stands against %s where it emptied something', (_who, more) => {
    desk().take(['a.mp4']);
    edit({ description: null, incidentAt: null, latitude: null, longitude: null });
    desk().take(['a.mp4'], more);
    // Before, the description said that the recording time is not known
    expect(desk().incident()).toMatchObject({
      description: '',
      incidentAt: null,
      latitude: null,
      longitude: null,
    });
  });

  it('wins over what the command line said before', () => {
    desk().take(['a.mp4'], { overrides: { title: 'C' } });
    edit({ title: 'P' });
    expect(desk().incident()?.title).toBe('P');
  });
});
