import { describe, expect, it } from 'vitest';
import { targetsOf } from '../../../../../renderer/features/uploads/bulk-commands.tsx';
import { reasonText } from '../../../../../renderer/features/uploads/row-cells.tsx';
import {
  canSucceed,
  isPending,
  leaveOutOf,
} from '../../../../../renderer/features/uploads/upload-commands.tsx';
import {
  outlineOf,
  turn,
  uploadsSearchSchema,
} from '../../../../../renderer/features/uploads/uploads-search.ts';
import { applyView } from '../../../../../renderer/features/uploads/view-menu.tsx';
import type { OutlineRow } from '../../../../../shared/domain/upload-outline.ts';
import { clipStates, type ClipRowView, type ClipState } from '../../../../../shared/domain/upload-view.ts';

const incident = (id: string): OutlineRow => ({
  kind: 'incident',
  incident: {
    id,
    title: id,
    folder: `/exports/${id}`,
    state: 'waiting',
    createdAt: '2026-05-01T19:30:05.000Z',
    uploaded: 0,
    failed: 0,
    leftOut: 0,
    pending: 1,
    sizeBytes: 1,
  },
  isOpen: false,
  shown: 1,
  cameras: [],
  hasMoreCameras: false,
});
const clipRow = (id: string, incidentId: string, state: ClipState = 'waiting'): ClipRowView => ({
  id,
  incidentId,
  file: 'a.mp4',
  state,
  sizeBytes: 1,
  bytesSent: 0,
  attempts: 0,
});
const clip = (id: string, incidentId: string): OutlineRow => ({
  kind: 'clip',
  clip: clipRow(id, incidentId),
  incidentTitle: incidentId,
  hasPicture: false,
  position: 1,
  shown: 1,
});

describe('the address of Uploads', () => {
  const read = (search: object) => outlineOf(uploadsSearchSchema.parse(search));

  it('lists the newest incidents first, closed, and opens them where something is looked for', () => {
    expect(read({})).toEqual({ sort: 'createdAt', order: 'descending', isOpen: false, except: [] });
    expect(read({ search: ' gate ' })).toMatchObject({ search: 'gate', isOpen: true });
    expect(read({ state: 'failed' })).toMatchObject({ state: 'failed', isOpen: true });
    expect(read({ open: true, turned: ['a'] })).toMatchObject({ isOpen: true, except: ['a'] });
    expect(read({ state: 'nonsense', sort: 7, turned: 'x' })).toEqual(read({}));
  });

  it('turns an incident and turns it back', () => {
    expect(turn(turn([], 'a'), 'b')).toEqual(['a', 'b']);
    expect(turn(['a', 'b'], 'a')).toEqual(['b']);
  });

  it('takes a saved view over without what was chosen, whatever was kept', () => {
    const view = {
      name: 'Night',
      search: { state: 'failed', sort: 'title', incident: 'x', order: 'sideways' },
    };
    expect(applyView(view)).toEqual({
      state: 'failed',
      search: '',
      sort: 'title',
      order: 'descending',
      open: false,
      turned: [],
    });
  });
});

describe('a command for several rows', () => {
  it('names each incident, and the other clips together: none twice', () => {
    expect(targetsOf([incident('a'), clip('a1', 'a'), clip('b1', 'b'), clip('b2', 'b')])).toEqual([
      { kind: 'incident', incidentId: 'a' },
      { kind: 'clips', clipIds: ['b1', 'b2'] },
    ]);
    expect(targetsOf([])).toEqual([]);
  });

  it('leaves out what failed, or takes back what was left out', () => {
    const row = (id: string, state: ClipState) => clipRow(id, 'a', state);
    const failed = [row('a1', 'failed'), row('a2', 'leftOut'), row('a3', 'uploaded'), row('a4', 'failed')];
    expect(leaveOutOf(failed)).toEqual({ clipIds: ['a1', 'a4'], isLeftOut: true });
    expect(leaveOutOf([row('a2', 'leftOut'), row('a3', 'waiting')])).toEqual({
      clipIds: ['a2'],
      isLeftOut: false,
    });
    expect(leaveOutOf([row('a3', 'uploaded')])).toBeUndefined();
    expect(clipStates.filter((state) => isPending(row('a', state)))).toEqual([
      'waiting',
      'uploading',
      'paused',
    ]);
  });

  it.each([
    ['FILE_TOO_LARGE', false],
    ['SERVICE_FAULT', true],
    ['FILE_NO_ACCESS', true],
  ] as const)('offers Retry after %s: %s', (code, isOffered) => {
    expect(canSucceed({ code, message: '', advice: '', retryable: isOffered })).toBe(isOffered);
  });
});

describe('a reason', () => {
  it.each([
    ['cam1.mp4 ends before the video does.', 'cam1.mp4', 'Ends before the video does.'],
    ['Too large: 3.2 MB, the limit is 2.0 MB.', 'cam1.mp4', 'Too large: 3.2 MB, the limit is 2.0 MB.'],
    ['cam1.mp4 is empty.', 'cam1.mp4', 'Empty.'],
    ['Nothing is known.', undefined, 'Nothing is known.'],
  ])('%j of %j is %j', (message, file, shown) => expect(reasonText(message, file)).toBe(shown));
});
