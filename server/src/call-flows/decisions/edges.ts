import type { FlowNode } from '../call-flow.entity.js'
import { otherwise } from '../nodes/node-type.js'

/** The node that an outcome leads to, by its own edge or else by `default`; null when the call ends there. */
export function nextNode({ next }: Pick<FlowNode, 'next'>, outcome: string): string | null {
  if (Object.hasOwn(next, outcome)) return next[outcome] ?? null
  return Object.hasOwn(next, otherwise) ? (next[otherwise] ?? null) : null
}
