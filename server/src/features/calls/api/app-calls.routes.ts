import { agentOrClient, callTokenOrPerson, endpoint } from '../../../infrastructure/http/endpoint.js'
import type { AppCalls } from './app-calls.js'
import {
  MadeAppCallShape,
  MakeAppCall,
  RejectCall,
  RejectedCallShape,
  callParams,
} from './app-calls.schema.js'
import type { CallRejections } from './call-rejections.js'
import { recoveringCalls } from '../session/live-calls.js'

const tag = 'Apps'

export function appCallEndpoints({
  appCalls,
  rejections,
}: {
  appCalls: AppCalls
  rejections: CallRejections
}) {
  return [
    endpoint({
      method: 'POST',
      path: '/call-center/calls/make',
      summary: 'Make a call from an app',
      description:
        'The call waits for its app, which connects to `ws_url` within 30 seconds. Then an agent’s call rings its destination; a client’s call runs the outbound flow in the claim `call_flow_id`.',
      tag,
      auth: agentOrClient,
      body: MakeAppCall,
      idempotent: true,
      response: { 201: MadeAppCallShape },
      errors: {
        403: 'No credit, a country that may not be called, or as many calls at once as allowed',
        409: 'The Idempotency-Key was used for another request',
      },
      handler: async ({ workspace, actor, body, idempotencyKey }) =>
        appCalls.make(workspace, actor, body, idempotencyKey),
    }),
    endpoint({
      method: 'POST',
      path: '/call-center/calls/:call_id/reject',
      drivesCalls: 'call',
      summary: 'Reject a call that rings',
      description:
        'Stops the ringing on all devices of the person, and rings no other person instead. If the call’s script ends with this, the caller gets busy (SIP 486).',
      tag,
      auth: callTokenOrPerson,
      params: callParams,
      body: RejectCall,
      response: { 200: RejectedCallShape },
      errors: { 404: 'No such call rings for this person', 503: recoveringCalls },
      handler: async ({ workspace, actor, params, body }) =>
        rejections.reject(workspace, actor, params.call_id, body.reason),
    }),
  ]
}
