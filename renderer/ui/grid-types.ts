import type { ReactNode } from 'react';

/** One column of a grid. `cell` draws what is in a row; keep it small, it is drawn for each row in view. */
export interface GridColumn<Row> {
  readonly id: string;
  readonly heading: string;
  /** Least width, pixels. */
  readonly minWidth: number;
  /** Part of the room that is left over; without it the column keeps its least width. */
  readonly share?: number;
  readonly align?: 'start' | 'end';
  readonly isSortable?: boolean;
  readonly cell: (row: Row) => ReactNode;
}

/** By which column, and in which order, the rows stand. */
export interface GridSort {
  readonly columnId: string;
  readonly order: 'ascending' | 'descending';
}

/** The tracks of a row, and the width below which the grid scrolls sideways. */
export function gridTracks(columns: readonly Pick<GridColumn<never>, 'minWidth' | 'share'>[]): {
  readonly template: string;
  readonly minWidth: number;
} {
  const tracks = columns.map(({ minWidth, share }) =>
    share === undefined ? `${minWidth}px` : `minmax(${minWidth}px, ${share}fr)`,
  );
  return {
    template: tracks.join(' '),
    minWidth: columns.reduce((sum, column) => sum + column.minWidth, 0),
  };
}
