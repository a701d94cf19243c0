/** Layout from left to right: the column is the distance from the start, the row is near the steps that lead there. */
import { shownOutcomes } from './step-kinds'
import { type Step, startType } from './steps'

export const cardWidth = 260
const columnGap = 110
const rowGap = 36
const bandGap = 60
const headHeight = 74
const outcomeHeight = 30

export interface Point {
  x: number
  y: number
}

/** Approximate height of a step's card. */
export function heightOf(step: Step): number {
  return headHeight + shownOutcomes(step).length * outcomeHeight
}

/** Flows with fewer columns are laid out in one band. */
const fewestColumns = 8

/** Approximate aspect ratio of the drawing's pane. */
const paneShape = 1.5

/**
 * Positions of all steps; unreachable ones are at the bottom. Long flows wrap into bands, like
 * the lines of a text, so that the whole fits on the screen at a readable zoom.
 */
function layOut(steps: readonly Step[]): Map<string, Point> {
  const rows = rowsOf(steps)
  const drawings = widthsFor(rows.length).map((width) => inBands(rows, width))
  return drawings.reduce((best, one) => (one.size < best.size ? one : best)).places
}

/** Columns of a band: the number with the largest zoom, given the columns' heights. */
function widthsFor(columns: number): number[] {
  if (columns <= fewestColumns) return [columns]
  return Array.from({ length: columns - fewestColumns + 1 }, (_, index) => fewestColumns - 2 + index)
}

interface Row {
  step: Step
  /** Ids of the steps that lead to it. */
  before: string[]
}

/** Steps by column, from the start. */
function rowsOf(steps: readonly Step[]): Row[][] {
  const columns = columnsOf(steps)
  const before = new Map<string, string[]>()
  for (const { id, next } of steps) {
    for (const target of new Set(Object.values(next))) before.set(target, [...(before.get(target) ?? []), id])
  }
  const rows: Row[][] = Array.from({ length: Math.max(0, ...columns.values()) + 1 }, () => [])
  for (const step of inOrder(steps)) {
    rows[columns.get(step.id) ?? 0]?.push({ step, before: before.get(step.id) ?? [] })
  }
  return rows
}

/** @returns positions, and the height of the whole */
function inBands(rows: readonly Row[][], width: number): { places: Map<string, Point>; size: number } {
  const places = new Map<string, Point>()
  let top = 0
  for (let first = 0; first < rows.length; first += width) {
    let bottom = top
    for (const [index, held] of rows.slice(first, first + width).entries()) {
      let y = top
      for (const { step, before } of held) {
        // At the height of its predecessor, unless that place is taken.
        const wanted = before.map((id) => places.get(id)?.y ?? -1).find((place) => place >= top) ?? top
        const at = Math.max(y, wanted)
        places.set(step.id, { x: index * (cardWidth + columnGap), y: at })
        y = at + heightOf(step) + rowGap
      }
      bottom = Math.max(bottom, y)
    }
    top = bottom + bandGap
  }
  const wide = Math.min(rows.length, width) * (cardWidth + columnGap)
  return { places, size: Math.max(top, wide / paneShape) }
}

/** Position of each step: its saved one, or else the layout's. */
export function placesOf(steps: readonly Step[]): Map<string, Point> {
  const places = steps.every(({ position }) => position) ? new Map<string, Point>() : layOut(steps)
  for (const { id, position } of steps) if (position) places.set(id, position)
  return places
}

/** In an arranged drawing a new step is placed beside its predecessor; otherwise everything is laid out again. */
export function placedBeside(step: Step, steps: readonly Step[], beside: string | null): Step {
  if (!steps.some(({ position }) => position)) return step
  const places = placesOf(steps)
  const before = beside === null ? undefined : places.get(beside)
  const x = before ? before.x + cardWidth + columnGap : 0
  // Below everything in that column.
  const column = steps.flatMap((one) => {
    const place = places.get(one.id)
    return place && Math.abs(place.x - x) < cardWidth ? [place.y + heightOf(one) + rowGap] : []
  })
  return { ...step, position: { x: Math.round(x), y: Math.round(Math.max(before?.y ?? 0, ...column)) } }
}

/** Steps in reading order: depth first from the start. */
export function inOrder(steps: readonly Step[]): Step[] {
  const byId = new Map(steps.map((step) => [step.id, step]))
  const seen = new Set<string>()
  const order: Step[] = []
  const visit = (first: Step) => {
    const waiting = [first]
    for (let step = waiting.pop(); step; step = waiting.pop()) {
      if (seen.has(step.id)) continue
      seen.add(step.id)
      order.push(step)
      const targets = shownOutcomes(step).flatMap((outcome) => byId.get(step.next[outcome] ?? '') ?? [])
      waiting.push(...targets.reverse())
    }
  }
  for (const step of steps) if (step.type === startType) visit(step)
  for (const step of steps) visit(step)
  return order
}

/** Longest distance of each step from the start, without loops. */
function columnsOf(steps: readonly Step[]): Map<string, number> {
  const byId = new Map(steps.map((step) => [step.id, step]))
  const columns = new Map<string, number>()
  const onTheWay = new Set<string>()
  // A step may be reached again at a larger distance; the limit of rounds bounds the work.
  let rounds = steps.length * 50
  const visit = (id: string, column: number) => {
    const step = byId.get(id)
    if (!step || onTheWay.has(id) || (columns.get(id) ?? -1) >= column || rounds-- <= 0) return
    columns.set(id, column)
    onTheWay.add(id)
    for (const target of Object.values(step.next)) visit(target, column + 1)
    onTheWay.delete(id)
  }
  for (const { id, type } of steps) if (type === startType) visit(id, 0)
  for (const { id } of steps) if (!columns.has(id)) visit(id, 0)
  return columns
}
