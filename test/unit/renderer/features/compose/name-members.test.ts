import { expect, it } from 'vitest';
import { nameMembers } from '../../../../../renderer/features/compose/name-members.ts';

it('tells people of one name apart by their ids, and leaves the others as they are', () => {
  const named = nameMembers([
    { id: 1, firstName: 'George', lastName: 'Smith', role: 'staff' },
    { id: 'b-2', firstName: 'George', lastName: 'Smith' },
    { id: 3, name: 'Tablet 1' },
  ]);
  expect(named.map(({ name }) => name)).toEqual(['George Smith · 1', 'George Smith · b-2', 'Tablet 1']);
  expect(named[0]).toMatchObject({ id: 1, role: 'staff' });
});
