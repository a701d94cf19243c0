import Type from 'typebox'
import { agent, endpoint } from '../../../infrastructure/http/endpoint.js'
import { Id } from '../../../infrastructure/http/shapes.js'
import { recoveringCalls } from '../session/live-calls.js'
import { SupervisionQuery, SupervisionStartedShape, SupervisionStoppedShape } from './supervision.schema.js'
import type { SupervisionMode } from '../bridge/supervision.js'
import type { SupervisionService } from './supervision.service.js'

const tag = 'Call centre'
const auth = agent('supervisor')
const params = Type.Object({ call_id: Id() })
const errors = {
  403: 'Not a supervisor of a team of the call’s agent',
  404: 'No such call, or no agent is in it',
  503: recoveringCalls,
}

const summaries: Readonly<Record<SupervisionMode, string>> = {
  listen: 'Listen to a call',
  whisper: 'Listen to a call, and speak to its agent alone',
  barge: 'Listen to a call, and speak to all in it',
}

export function supervisionEndpoints({ supervisions }: { supervisions: SupervisionService }) {
  const starting = (mode: SupervisionMode) =>
    endpoint({
      method: 'POST',
      path: `/call-center/calls/:call_id/${mode}`,
      audited: 'call.supervise',
      drivesCalls: 'call',
      summary: summaries[mode],
      description: 'If you already supervise the call, changes the mode.',
      tag,
      auth,
      params,
      query: SupervisionQuery,
      response: { 200: SupervisionStartedShape },
      errors: { ...errors, 409: 'The supervisor has another call, or no softphone that is registered' },
      handler: async ({ workspace, actor, params, query }) =>
        supervisions.start(workspace, params.call_id, actor, mode, query.device),
    })
  return [
    starting('listen'),
    starting('whisper'),
    starting('barge'),
    endpoint({
      method: 'DELETE',
      path: '/call-center/calls/:call_id/supervision',
      drivesCalls: 'call',
      summary: 'Stop supervising a call',
      tag,
      auth,
      params,
      response: { 200: SupervisionStoppedShape },
      errors,
      handler: async ({ workspace, actor, params }) => supervisions.stop(workspace, params.call_id, actor),
    }),
  ]
}
