/** Checks the shape of a flow: where its edges lead, what is never reached, and what never ends. */
import type { FieldProblem } from '../../infrastructure/http/errors.js'

/** A node as its edges see it. */
export interface GraphNode {
  readonly id: string
  readonly isStart: boolean
  /** It waits for the caller, so that a loop may pass through it. */
  readonly waits: boolean
  /** Names that its edges may have; null when that is not known, as its type or parameters are wrong. */
  readonly outcomes: readonly string[] | null
  readonly next: Readonly<Record<string, string>>
}

interface Edge {
  readonly from: number
  readonly outcome: string
  readonly to: number
}

/** Everything that is wrong with a graph; fields are those of the nodes' positions: `nodes.3.next.busy`. */
export function graphProblems(nodes: readonly GraphNode[]): FieldProblem[] {
  const indexes = new Map<string, number>()
  for (const [index, { id }] of nodes.entries()) if (!indexes.has(id)) indexes.set(id, index)
  const edges = nodes.map(({ next }, from) =>
    Object.entries(next).flatMap(([outcome, target]): Edge[] => {
      const to = indexes.get(target)
      return to === undefined ? [] : [{ from, outcome, to }]
    }),
  )
  return [
    ...startProblems(nodes),
    ...idProblems(nodes, indexes),
    ...edgeProblems(nodes, indexes),
    ...unreached(nodes, indexes, edges),
    ...endlessLoops(nodes, edges),
  ]
}

function startProblems(nodes: readonly GraphNode[]): FieldProblem[] {
  const starts = nodes.flatMap(({ isStart }, index) => (isStart ? [index] : []))
  const [first, ...more] = starts
  if (first === undefined) return [problem('nodes', 'must hold one node of type start')]
  return more.map((index) => problem(`nodes.${index}.type`, `is start, as that of nodes.${first} is already`))
}

function idProblems(nodes: readonly GraphNode[], indexes: ReadonlyMap<string, number>): FieldProblem[] {
  return nodes.flatMap(({ id }, index) => {
    const first = indexes.get(id)
    return first === index ? [] : [problem(`nodes.${index}.id`, `is the id of nodes.${first} already`)]
  })
}

function edgeProblems(nodes: readonly GraphNode[], indexes: ReadonlyMap<string, number>): FieldProblem[] {
  return nodes.flatMap(({ next, outcomes }, index) =>
    Object.entries(next).flatMap(([outcome, target]) => {
      const field = `nodes.${index}.next.${outcome}`
      return [
        ...(outcomes && !outcomes.includes(outcome) ? [problem(field, noOutcome(outcomes))] : []),
        ...(indexes.has(target) ? [] : [problem(field, `names no node: ${target}`)]),
      ]
    }),
  )
}

function noOutcome(outcomes: readonly string[]): string {
  return outcomes.length === 0
    ? 'leaves a node that ends the call'
    : `is no outcome of this node, which has ${outcomes.join(', ')}`
}

function unreached(
  nodes: readonly GraphNode[],
  indexes: ReadonlyMap<string, number>,
  edges: readonly Edge[][],
): FieldProblem[] {
  const reached = new Set(nodes.flatMap(({ isStart }, index) => (isStart ? [index] : [])))
  if (reached.size === 0) return []
  for (const index of reached) for (const { to } of edges[index] ?? []) reached.add(to)
  return nodes.flatMap(({ id }, index) =>
    reached.has(index) || indexes.get(id) !== index
      ? []
      : [problem(`nodes.${index}`, 'is never reached from the start')],
  )
}

/** Loops without a node that waits. Each node of such a loop is in one that is reported. */
function endlessLoops(nodes: readonly GraphNode[], edges: readonly Edge[][]): FieldProblem[] {
  const reported = new Set<number>()
  return nodes.flatMap(({ waits }, index) => {
    const loop = waits || reported.has(index) ? null : shortestLoop(index, nodes, edges)
    const last = loop?.at(-1)
    if (!loop || !last) return []
    for (const { from } of loop) reported.add(from)
    const path = [...loop.map(({ from }) => nodes[from]?.id), nodes[index]?.id].join(' → ')
    const rule = `closes a loop in which nothing waits for the caller: ${path}`
    return [problem(`nodes.${last.from}.next.${last.outcome}`, rule)]
  })
}

/** The edges of the shortest way from a node back to itself, past all nodes that wait. */
function shortestLoop(start: number, nodes: readonly GraphNode[], edges: readonly Edge[][]): Edge[] | null {
  const cameBy = new Map<number, Edge>()
  const queue = [start]
  for (const index of queue) {
    for (const edge of edges[index] ?? []) {
      if (nodes[edge.to]?.waits || cameBy.has(edge.to)) continue
      cameBy.set(edge.to, edge)
      if (edge.to === start) return wayTo(start, cameBy)
      queue.push(edge.to)
    }
  }
  return null
}

function wayTo(start: number, cameBy: ReadonlyMap<number, Edge>): Edge[] {
  const way: Edge[] = []
  for (let edge = cameBy.get(start); edge; edge = edge.from === start ? undefined : cameBy.get(edge.from)) {
    way.unshift(edge)
  }
  return way
}

function problem(field: string, rule: string): FieldProblem {
  return { field, messages: [`${field} ${rule}`] }
}
