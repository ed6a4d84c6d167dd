import { act, screen, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { expect, it } from 'vitest';
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import type { AskedRow } from '../../../../renderer/stores/arrivals.ts';
import { DataGrid } from '../../../../renderer/ui/data-grid.tsx';
import { showPart } from '../show-part.tsx';

const rows = ['a', 'b', 'c', 'd', 'e', 'f'].map((id) => ({ id }));
const columns = [{ id: 'name', heading: 'Name', minWidth: 100, cell: ({ id }: { id: string }) => id }];

interface Address {
  readonly chosen?: string;
  readonly asked?: AskedRow;
}

/** A grid whose selection is kept in an address that changes only when the test says so. */
async function showGrid(placeOf: (rowId: string) => Promise<number | undefined>) {
  const address = createStore<Address>(() => ({}));
  const chosen: string[] = [];
  const sought: string[] = [];
  function Part(): ReactNode {
    const { chosen: cursorId, asked } = useStore(address);
    return (
      <DataGrid
        label="Rows"
        columns={columns}
        rowCount={rows.length}
        rowAt={(index) => rows[index]}
        rowId={({ id }) => id}
        cursorId={cursorId}
        asked={asked}
        onCursor={({ id }) => chosen.push(id)}
        placeOf={(rowId) => {
          sought.push(rowId);
          return placeOf(rowId);
        }}
      />
    );
  }
  const { user } = await showPart(<Part />);
  const grid = screen.getByRole('grid', { name: 'Rows' });
  const cursor = () => document.getElementById(grid.getAttribute('aria-activedescendant') ?? '')?.textContent;
  act(() => grid.focus());
  const commit = (next: Address): void => {
    act(() => address.setState(next, true));
  };
  return { user, chosen, sought, cursor, commit };
}

const placeIn = (rowId: string) => Promise.resolve(rows.findIndex(({ id }) => id === rowId));

it('the cursor is not called back by an address that follows keys one by one, or leaves some out', async () => {
  const { user, chosen, sought, cursor, commit } = await showGrid(placeIn);
  await user.keyboard('jjj');
  expect(chosen).toEqual(['a', 'b', 'c']);
  for (const late of ['a', 'b']) commit({ chosen: late });
  await user.keyboard('jj');
  for (const late of ['c', 'e']) commit({ chosen: late });
  expect(cursor()).toBe('e');
  expect(sought).toEqual([]);
});

it('a row that was chosen here before is looked for when it is chosen elsewhere, or asked for', async () => {
  const { user, sought, cursor, commit } = await showGrid(placeIn);
  await user.keyboard('jjj');
  for (const late of ['a', 'b', 'c']) commit({ chosen: late });
  commit({ chosen: 'a' });
  await waitFor(() => expect(cursor()).toBe('a'));
  await user.keyboard('j');
  commit({ chosen: 'b' });
  expect(sought).toEqual(['a']);
  commit({ chosen: 'b', asked: { rowId: 'b', times: 1 } });
  await waitFor(() => expect(sought).toEqual(['a', 'b']));
});

it('who presses a key while a row is looked for is not called back when it is found', async () => {
  const found = Promise.withResolvers<number>();
  const { user, sought, cursor, commit } = await showGrid(() => found.promise);
  commit({ chosen: 'f' });
  expect(sought).toEqual(['f']);
  await user.keyboard('j');
  const here = cursor();
  await act(async () => found.resolve(5));
  expect(cursor()).toBe(here);
});
