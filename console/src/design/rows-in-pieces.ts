import { startTransition, useEffect, useState } from 'react'

/** Rows drawn at once: the default page of a list, which fits most screens. */
const piece = 25

interface Pieces<Row> {
  rows: readonly Row[]
  /** What was drawn when these rows came. */
  before: readonly Row[]
  /** How many of the rows are drawn. */
  count: number
}

/**
 * Draws a long page of a list piece by piece, one a frame: to style, lay out and paint a hundred rows at once would
 * hold up the page for longer than people overlook. Rows that were there before stay until it is their turn.
 * @param rowKey what a row is known by
 * @returns the rows to draw now, and whether more are to come
 */
export function useRowsInPieces<Row>(rows: readonly Row[], rowKey: (row: Row) => string) {
  const [state, setState] = useState<Pieces<Row>>({ rows, before: [], count: piece })
  const drawn = drawnOf(state, rowKey)
  // Rows that are new while others are being drawn begin with the first piece again.
  if (state.rows !== rows) setState({ rows, before: drawn, count: piece })
  const isPartial = state.count < rows.length
  useEffect(() => {
    if (!isPartial) return undefined
    const frame = requestAnimationFrame(() =>
      startTransition(() => setState((now) => ({ ...now, count: now.count + piece }))),
    )
    return () => cancelAnimationFrame(frame)
  }, [isPartial, state])
  return { rows: drawn, isPartial }
}

function drawnOf<Row>({ rows, before, count }: Pieces<Row>, rowKey: (row: Row) => string): readonly Row[] {
  if (count >= rows.length) return rows
  const fresh = rows.slice(0, count)
  const keys = new Set(fresh.map(rowKey))
  return [...fresh, ...before.slice(count, rows.length).filter((row) => !keys.has(rowKey(row)))]
}
