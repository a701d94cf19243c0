/** A virtualised table: only the visible rows are rendered, so that a thousand calls scroll as smoothly as ten. */
import { Text } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useVirtualizer } from '@tanstack/react-virtual'
import { type ReactNode, memo, useCallback, useEffect, useRef } from 'react'
import { useWallScale } from '../../../design/wall'
import './virtual-table.css'

export interface VirtualColumn<Row> {
  key: string
  header: string
  /** A track of a CSS grid: `minmax(8rem, 2fr)`. */
  width: string
  /** @param index from 0 */
  render: (row: Row, index: number) => ReactNode
}

interface VirtualTableProps<Row> {
  label: string
  rows: readonly Row[]
  columns: readonly VirtualColumn<Row>[]
  rowKey: (row: Row) => string
}

/** Without a wall screen, in pixels. */
const heights = { row: 48, card: 150, header: 40 }

export function VirtualTable<Row>({ label, rows, columns, rowKey }: VirtualTableProps<Row>) {
  const isNarrow = useMediaQuery('(max-width: 62em)', undefined, { getInitialValueInEffect: false }) ?? false
  const scale = useWallScale()
  const rowHeight = (isNarrow ? heights.card : heights.row) * scale
  const scroller = useRef<HTMLDivElement>(null)
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: useCallback(() => rowHeight, [rowHeight]),
    getItemKey: (index) => rowKey(rows[index] as Row),
    overscan: 6,
    useFlushSync: false,
  })
  // Row heights measured at another window width are wrong.
  useEffect(() => virtualizer.measure(), [virtualizer, rowHeight])
  const template = isNarrow ? undefined : columns.map(({ width }) => width).join(' ')
  const height = isNarrow ? virtualizer.getTotalSize() : rows.length * rowHeight
  const shown = height + (isNarrow ? 0 : heights.header * scale) + 2
  return (
    <div
      ref={scroller}
      className="jf-virtual"
      tabIndex={0}
      role="group"
      aria-label={label}
      style={{ height: `min(${shown}px, max(20rem, 100dvh - 21.25rem))` }}
    >
      <div role="table" aria-label={label} aria-rowcount={rows.length + 1}>
        <div role="rowgroup" className={isNarrow ? 'jf-virtual-unseen' : 'jf-virtual-head'}>
          <div
            role="row"
            aria-rowindex={1}
            className="jf-virtual-row"
            style={{ gridTemplateColumns: template }}
          >
            {columns.map(({ key, header }) => (
              <div key={key} role="columnheader">
                {header}
              </div>
            ))}
          </div>
        </div>
        <div role="rowgroup" style={{ height, position: 'relative' }}>
          {virtualizer.getVirtualItems().map(({ index, key, start }) => {
            const row = rows[index]
            if (row === undefined) return null
            return (
              <div
                key={key}
                ref={isNarrow ? virtualizer.measureElement : undefined}
                data-index={index}
                role="row"
                aria-rowindex={index + 2}
                className={isNarrow ? 'jf-virtual-card' : 'jf-virtual-row'}
                style={{
                  position: 'absolute',
                  insetInline: 0,
                  transform: `translateY(${start}px)`,
                  ...(!isNarrow && { height: rowHeight, gridTemplateColumns: template }),
                }}
              >
                <Cells row={row} index={index} columns={columns} isNarrow={isNarrow} />
              </div>
            )
          })}
        </div>
      </div>
    </div>
  )
}

/** Memoised: rendered again only when its row changes. */
const Cells = memo(function Cells({
  row,
  index,
  columns,
  isNarrow,
}: {
  row: unknown
  index: number
  columns: readonly VirtualColumn<never>[]
  isNarrow: boolean
}) {
  return columns.map(({ key, header, render }, column) => (
    <div key={key} role="cell">
      {isNarrow && column > 0 && header !== '' && (
        <Text span size="xs" c="dimmed" w={96} style={{ flexShrink: 0 }} aria-hidden>
          {header}
        </Text>
      )}
      {render(row as never, index)}
    </div>
  ))
})
