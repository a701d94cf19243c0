/** Flows as tests send them. */
import type { Answer, ApiClient } from '../support/api-client.js'
import { callFlow } from './fixtures.js'

export type Node = { id: string; type: string; params?: object; next?: Record<string, string> }

export const start: Node = { id: 'start', type: 'start', next: { default: 'it' } }

export async function createFlow(api: ApiClient, nodes: unknown, changes: object = {}): Promise<Answer> {
  return api.post('/call-flows', { ...callFlow, nodes, ...changes })
}

/** Creates a flow that starts with one node. */
export async function createFlowWith(
  api: ApiClient,
  type: string,
  params?: object,
  next?: Record<string, string>,
): Promise<Answer> {
  return createFlow(api, [start, { id: 'it', type, ...(params && { params }), ...(next && { next }) }])
}
