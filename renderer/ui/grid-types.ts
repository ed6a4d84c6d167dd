import type { ReactNode } from 'react';

/** One column of a grid. `cell` draws what is in a row; keep it small, it is drawn for each row in view. */
export interface GridColumn<Row> {
  readonly id: string;
  readonly heading: string;
  /** A track of a CSS grid: `120px`, `minmax(160px, 1fr)`. */
  readonly width: string;
  readonly align?: 'start' | 'end';
  readonly isSortable?: boolean;
  readonly cell: (row: Row) => ReactNode;
}

/** By which column, and in which order, the rows stand. */
export interface GridSort {
  readonly columnId: string;
  readonly order: 'ascending' | 'descending';
}
