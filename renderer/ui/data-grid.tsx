import { useVirtualizer, defaultRangeExtractor } from '@tanstack/react-virtual';
import { useCallback, useEffect, useId, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import { GridRow } from './grid-row.tsx';
import { GridHead } from './grid-head.tsx';
import { gridTracks, type GridColumn, type GridSort } from './grid-types.ts';
import { followCursor, moveCursor, type Cursor } from './move-cursor.ts';
import { usePreference } from '../stores/services.ts';
import styles from './data-grid.module.css';

const rowHeights = { compact: 24, normal: 28, comfortable: 36 } as const;
const OVERSCAN_ROWS = 10;

/** What a grid needs; rows come one by one, so that 100,000 of them never stand in memory. */
export interface DataGridProps<Row> {
  readonly label: string;
  readonly columns: readonly GridColumn<Row>[];
  readonly rowCount: number;
  /** Undefined while it is not there yet. */
  readonly rowAt: (index: number) => Row | undefined;
  readonly rowId: (row: Row) => string;
  /** Called when other rows come into view. */
  readonly onShow?: (first: number, last: number) => void;
  /** The row under the cursor, by id. */
  readonly cursorId: string | undefined;
  readonly onCursor: (row: Row) => void;
  readonly onOpen?: (row: Row) => void;
  readonly sort?: GridSort | undefined;
  readonly onSort?: (columnId: string) => void;
  /** Rows that are marked for an order of many; without it nothing can be marked. */
  readonly marked?: ReadonlySet<string>;
  readonly onMark?: (row: Row) => void;
}

/**
 * A grid of any length: only the rows in view are in the page. One tab stop; arrows, Home, End, Page Up and Page Down
 * (also J and K) move the cursor, Enter opens, X or Space marks.
 */
export function DataGrid<Row>(props: DataGridProps<Row>): ReactNode {
  const { columns, rowCount, rowAt, rowId, onShow, cursorId, onCursor, onOpen, marked, onMark } = props;
  const gridId = useId();
  const scroller = useRef<HTMLDivElement>(null);
  const rowHeight = rowHeights[usePreference((preferences) => preferences.density)];
  const [cursor, setCursor] = useState<Cursor>({ index: 0, id: cursorId });
  const idAt = (index: number): string | undefined => {
    const row = rowAt(index);
    return row === undefined ? undefined : rowId(row);
  };
  const bounded = followCursor(cursor, rowCount, idAt);
  const virtual = useVirtualizer({
    count: rowCount,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: OVERSCAN_ROWS,
    // The row under the cursor is always there: it is named as the active one
    rangeExtractor: useCallback(
      (range: Parameters<typeof defaultRangeExtractor>[0]) => {
        const indexes = defaultRangeExtractor(range);
        return indexes.includes(bounded) || range.count === 0
          ? indexes
          : [...indexes, bounded].toSorted((a, b) => a - b);
      },
      [bounded],
    ),
  });
  useEffect(() => virtual.measure(), [virtual, rowHeight]);
  const items = virtual.getVirtualItems();
  const { startIndex = 0, endIndex = 0 } = virtual.range ?? {};
  useEffect(() => onShow?.(startIndex, endIndex), [onShow, startIndex, endIndex]);

  function moveTo(index: number): void {
    setCursor({ index, id: idAt(index) });
    virtual.scrollToIndex(index);
    const row = rowAt(index);
    if (row !== undefined) onCursor(row);
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const row = rowAt(bounded);
    const pageRows = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / rowHeight) - 1);
    // As long as nothing was chosen the first step takes the first row
    const from = cursor.id === undefined && cursor.index === 0 ? -1 : bounded;
    const target = moveCursor(event.key, from, rowCount, pageRows);
    if (target !== undefined) moveTo(target);
    else if (event.key === 'Enter' && row !== undefined) onOpen?.(row);
    else if ((event.key === 'x' || event.key === ' ') && row !== undefined && onMark !== undefined)
      onMark(row);
    else return;
    event.preventDefault();
  }

  const { template, minWidth } = gridTracks(columns);
  return (
    <div
      ref={scroller}
      role="grid"
      aria-label={props.label}
      aria-rowcount={rowCount + 1}
      aria-colcount={columns.length}
      aria-multiselectable={onMark !== undefined}
      aria-activedescendant={rowCount === 0 ? undefined : `${gridId}-${bounded}`}
      tabIndex={0}
      className={styles['grid']}
      onKeyDown={onKeyDown}
    >
      <GridHead
        columns={columns}
        template={template}
        minWidth={minWidth}
        sort={props.sort}
        onSort={props.onSort}
      />
      <div role="rowgroup" className={styles['body']} style={{ height: virtual.getTotalSize(), minWidth }}>
        {items.map((item) => {
          const row = rowAt(item.index);
          const id = row === undefined ? undefined : rowId(row);
          return (
            <GridRow
              key={item.key}
              id={`${gridId}-${item.index}`}
              index={item.index}
              top={item.start}
              height={rowHeight}
              template={template}
              columns={columns}
              row={row}
              isCursor={item.index === bounded}
              isChosen={id !== undefined && id === cursorId}
              isMarked={id !== undefined && marked?.has(id) === true}
              onPress={() => moveTo(item.index)}
              onOpen={onOpen}
            />
          );
        })}
      </div>
    </div>
  );
}
