import { describe, expect, it } from 'vitest';
import { reasonText } from '../../../../../renderer/features/uploads/row-cells.tsx';
import {
  outlineOf,
  turn,
  uploadsSearchSchema,
} from '../../../../../renderer/features/uploads/uploads-search.ts';
import { applyView } from '../../../../../renderer/features/uploads/view-menu.tsx';

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

describe('a reason', () => {
  it.each([
    ['cam1.mp4 ends before the video does.', 'cam1.mp4', 'Ends before the video does.'],
    ['Too large: 3.2 MB, the limit is 2.0 MB.', 'cam1.mp4', 'Too large: 3.2 MB, the limit is 2.0 MB.'],
    ['cam1.mp4 is empty.', 'cam1.mp4', 'Empty.'],
    ['Empty file: cam1.mp4.', 'cam1.mp4', 'Empty file.'],
    ['Cut off before its end: cam1.mp4. It waits.', 'cam1.mp4', 'Cut off before its end. It waits.'],
    ['Nothing is known.', undefined, 'Nothing is known.'],
  ])('%j of %j is %j', (message, file, shown) => expect(reasonText(message, file)).toBe(shown));
});
