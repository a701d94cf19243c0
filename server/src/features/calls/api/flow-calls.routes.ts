import { apiKey, endpoint } from '../../../infrastructure/http/endpoint.js'
import { idParams } from '../../../infrastructure/http/shapes.js'
import { MadeAppCallShape } from './app-calls.schema.js'
import type { FlowCalls } from './flow-calls.js'

export function flowCallEndpoints({ flowCalls }: { flowCalls: FlowCalls }) {
  return [
    endpoint({
      method: 'POST',
      path: '/call-flows/:id/talk',
      summary: 'Call a flow from an app',
      description:
        'Makes a call from an app, such as a browser: it connects to `ws_url` within 30 seconds and answers the offer, and the flow runs as it does for callers. It needs no number and no carrier; what the flow dials costs as usual.',
      tag: 'Call flows',
      auth: apiKey('full'),
      params: idParams,
      idempotent: true,
      response: { 201: MadeAppCallShape },
      errors: {
        403: 'No credit, or as many calls at once as allowed',
        404: 'No such call flow',
        409: 'The Idempotency-Key was used for another request',
      },
      handler: async ({ workspace, actor, params, idempotencyKey }) =>
        flowCalls.make(workspace, actor, params.id, idempotencyKey),
    }),
  ]
}
