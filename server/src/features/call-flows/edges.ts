/** The edges of a flow: what a node's outcomes lead to. */
import type { FlowNode } from './call-flow.entity.js'

/** The outcome for all outcomes without an edge of their own. */
export const otherwise = 'default'

/** The node that an outcome leads to, by its own edge or else by `default`; null when the call ends there. */
export function nextNode({ next }: Pick<FlowNode, 'next'>, outcome: string): string | null {
  if (Object.hasOwn(next, outcome)) return next[outcome] ?? null
  return Object.hasOwn(next, otherwise) ? (next[otherwise] ?? null) : null
}
