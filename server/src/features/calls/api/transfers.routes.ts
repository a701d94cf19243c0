import Type from 'typebox'
import { agent, endpoint } from '../../../infrastructure/http/endpoint.js'
import { Id } from '../../../infrastructure/http/shapes.js'
import { TransferCall, TransferStartedShape, TransferStateShape } from '../bridge/transfer.schema.js'
import { recoveringCalls } from '../session/live-calls.js'
import type { TransferService } from '../session/transfer.service.js'

const tag = 'Call centre'
const params = Type.Object({ call_id: Id() })
const errors = {
  403: 'The workspace allows transfers only by agents involved in the call, or may not call the number',
  404: 'No such call, or it is not bridged',
  503: recoveringCalls,
}

export function transferEndpoints({ transfers }: { transfers: TransferService }) {
  return [
    endpoint({
      method: 'POST',
      path: '/call-center/calls/:call_id/transfer',
      drivesCalls: 'call',
      summary: 'Hand a call over to an agent, a team, a SIP account, a client or a number',
      description:
        'The caller hears music while the target rings, and returns to the agent if there is no answer. A telephone number is called, and charged, as by the agent. The outcome is on the call’s timeline: `call.transfer`.',
      tag,
      auth: agent(),
      params,
      body: TransferCall,
      response: { 200: TransferStartedShape },
      errors,
      handler: async ({ workspace, actor, params, body }) =>
        transfers.startBy(workspace, params.call_id, actor, body),
    }),
    endpoint({
      method: 'POST',
      path: '/call-center/calls/:call_id/transfer/complete',
      drivesCalls: 'call',
      summary: 'Join the caller with the target',
      description: 'At once, or as soon as the target answers. An agent who hangs up does the same.',
      tag,
      auth: agent(),
      params,
      response: { 200: TransferStateShape },
      errors,
      handler: async ({ workspace, actor, params }) => transfers.complete(workspace, params.call_id, actor),
    }),
    endpoint({
      method: 'POST',
      path: '/call-center/calls/:call_id/transfer/three-way',
      drivesCalls: 'call',
      summary: 'Let the caller, the agent and the target talk together',
      description:
        'Makes a consultation a three-way call. `complete`, or an agent who hangs up, then leaves the caller with the target; `DELETE`, or a target who hangs up, leaves the caller with the agent.',
      tag,
      auth: agent(),
      params,
      response: { 200: TransferStateShape },
      errors: { ...errors, 400: 'The agent does not speak with the target of the transfer' },
      handler: async ({ workspace, actor, params }) =>
        transfers.startThreeWay(workspace, params.call_id, actor),
    }),
    endpoint({
      method: 'DELETE',
      path: '/call-center/calls/:call_id/transfer',
      drivesCalls: 'call',
      summary: 'Bring the caller back to the agent',
      tag,
      auth: agent(),
      params,
      response: { 200: TransferStateShape },
      errors,
      handler: async ({ workspace, actor, params }) => transfers.cancel(workspace, params.call_id, actor),
    }),
  ]
}
