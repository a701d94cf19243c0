/** Which rows of a list are chosen: one by one, a range with Shift, or all of a page. They stay chosen on other pages. */
import { useState } from 'react'

/** More are not chosen at once: each is a request. */
export const mostChosen = 1_000

export interface Chosen<Row> {
  readonly rows: ReadonlyMap<string, Row>
  /** The row that was clicked last: where a range begins. */
  readonly anchor: string | null
}

export const noneChosen: Chosen<never> = { rows: new Map<string, never>(), anchor: null }

/** All that lie from one row to another, in the order of the page; the row alone where there is no other one. */
function rangeOf<Row>(
  page: readonly Row[],
  keyOf: (row: Row) => string,
  from: string | null,
  to: string,
): readonly Row[] {
  const keys = page.map(keyOf)
  const [start, end] = [keys.indexOf(from ?? to), keys.indexOf(to)]
  if (start < 0) return page.filter((row) => keyOf(row) === to)
  return page.slice(Math.min(start, end), Math.max(start, end) + 1)
}

/** After a click on a row's box. @param isRange with Shift: all from the row clicked before get what this row gets */
export function afterClick<Row>(
  chosen: Chosen<Row>,
  page: readonly Row[],
  keyOf: (row: Row) => string,
  key: string,
  isRange: boolean,
): Chosen<Row> {
  const isOn = !chosen.rows.has(key)
  return {
    ...withRows(chosen, rangeOf(page, keyOf, isRange ? chosen.anchor : null, key), keyOf, isOn),
    anchor: key,
  }
}

/** After a click on the box of the whole page. */
export function afterPage<Row>(
  chosen: Chosen<Row>,
  page: readonly Row[],
  keyOf: (row: Row) => string,
): Chosen<Row> {
  return withRows(chosen, page, keyOf, pageState(chosen, page, keyOf) !== 'all')
}

export function pageState<Row>(
  { rows }: Chosen<Row>,
  page: readonly Row[],
  keyOf: (row: Row) => string,
): 'none' | 'some' | 'all' {
  const count = page.filter((row) => rows.has(keyOf(row))).length
  return count === 0 ? 'none' : count === page.length ? 'all' : 'some'
}

function withRows<Row>(
  { rows, anchor }: Chosen<Row>,
  changed: readonly Row[],
  keyOf: (row: Row) => string,
  isOn: boolean,
): Chosen<Row> {
  const next = new Map(rows)
  for (const row of changed) {
    if (!isOn) next.delete(keyOf(row))
    else if (next.size < mostChosen) next.set(keyOf(row), row)
  }
  return { rows: next, anchor }
}

/** What a list's rows need to be chosen. */
export interface Choosing<Row> {
  chosen: Chosen<Row>
  click: (row: Row, isRange: boolean) => void
  clickPage: () => void
  /** Keeps these only. */
  keep: (rows: readonly Row[]) => void
  /** Human-readable name of a row. */
  nameOf: (row: Row) => string
}

/** @param page the rows that are shown */
export function useChoosing<Row>(
  page: readonly Row[],
  keyOf: (row: Row) => string,
  nameOf: (row: Row) => string,
): Choosing<Row> {
  const [chosen, setChosen] = useState<Chosen<Row>>(noneChosen)
  return {
    ...{ chosen, nameOf },
    click: (row, isRange) => setChosen((now) => afterClick(now, page, keyOf, keyOf(row), isRange)),
    clickPage: () => setChosen((now) => afterPage(now, page, keyOf)),
    keep: (rows) => setChosen({ rows: new Map(rows.map((row) => [keyOf(row), row])), anchor: null }),
  }
}
