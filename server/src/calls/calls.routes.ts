import Type from 'typebox'
import { apiKey, endpoint } from '../http/endpoint.js'
import { listAnswer, listOf, listQuery, maxPageSize } from '../http/lists.js'
import { idParams } from '../http/shapes.js'
import type { SessionStore } from '../voice-agents/sessions/session-store.js'
import { presentSession } from '../voice-agents/sessions/session.schema.js'
import type { Call } from './call.entity.js'
import type { CallLeg } from './call-leg.entity.js'
import {
  CallDetailShape,
  CallEventShape,
  CallRecordShape,
  MadeCallShape,
  MakeCall,
  UpdateActions,
  UpdatedActionsShape,
} from './call.schema.js'
import type { CallService } from './call.service.js'
import { takingUp } from './live-calls.js'
import { presentEvent } from './present-call.js'

const tag = 'Calls'
const read = apiKey('any')
const write = apiKey('full')

interface Services {
  calls: CallService
  voiceAgentSessions: Pick<SessionStore, 'sessionsOf'>
}

export function callEndpoints({ calls, voiceAgentSessions }: Services) {
  return [
    endpoint({
      method: 'GET',
      path: '/calls',
      summary: 'List calls',
      tag,
      auth: read,
      query: listQuery({ limit: 20, sort: ['created_at'], search: 'Looks at the phone numbers' }),
      response: { 200: listOf(CallRecordShape) },
      handler: async ({ workspace, query }) =>
        listAnswer(query, await calls.list(workspace, query), presentCall),
    }),
    endpoint({
      method: 'GET',
      path: '/calls/:id',
      summary: 'Show a call with its legs and voice agents',
      tag,
      auth: read,
      params: idParams,
      response: { 200: CallDetailShape },
      errors: { 404: 'No such call' },
      handler: async ({ workspace, params }) => {
        const call = await calls.get(workspace, params.id)
        return {
          ...presentCall(call),
          legs: (await calls.legs(call)).map(presentLeg),
          voice_agent_sessions: (await voiceAgentSessions.sessionsOf(call)).map(presentSession),
        }
      },
    }),
    endpoint({
      method: 'GET',
      path: '/calls/:id/events',
      summary: 'Read a call’s timeline',
      tag,
      auth: read,
      params: idParams,
      query: Type.Object({
        page: Type.Integer({ minimum: 1, maximum: 1_000, default: 1 }),
        limit: Type.Integer({ minimum: 1, maximum: maxPageSize, default: 50 }),
      }),
      response: { 200: listOf(CallEventShape) },
      errors: { 404: 'No such call' },
      handler: async ({ workspace, params, query }) =>
        listAnswer(query, await calls.events(workspace, params.id, query), presentEvent),
    }),
    endpoint({
      method: 'POST',
      path: '/calls/make',
      summary: 'Make an outbound call',
      description:
        'The call is placed at once and its actions run when it is answered. When the last one ends the call is hung up.',
      tag,
      auth: write,
      body: MakeCall,
      idempotent: true,
      response: { 201: MadeCallShape },
      errors: {
        403: 'No credit, a country that may not be called, or as many calls at once as allowed',
        409: 'The Idempotency-Key was used for another request',
      },
      handler: async ({ workspace, body, idempotencyKey }) => ({
        data: await calls.make(workspace, body, idempotencyKey),
      }),
    }),
    endpoint({
      method: 'PUT',
      path: '/calls/:id/actions',
      drivesCalls: true,
      summary: 'Replace the actions of a live call, or add to them',
      description:
        'Also of a call that runs a flow. Replaced: what runs is stopped, and the new actions begin at once. Pushed: they begin when all that runs is through.',
      tag,
      auth: write,
      params: idParams,
      body: UpdateActions,
      response: { 200: UpdatedActionsShape },
      errors: { 404: 'No such call' },
      handler: async ({ workspace, params, body }) => ({
        data: {
          call_id: params.id,
          ...(await calls.changeActions(workspace, params.id, body)),
          action_count: body.actions.length,
        },
      }),
    }),
    endpoint({
      method: 'POST',
      path: '/calls/:id/hangup',
      drivesCalls: true,
      summary: 'Hang up a call, or stop calling',
      tag,
      auth: write,
      params: idParams,
      response: { 200: CallRecordShape },
      errors: { 404: 'No such call', 503: takingUp },
      handler: async ({ workspace, params }) => presentCall(await calls.hangUp(workspace, params.id)),
    }),
  ]
}

function presentCall(call: Call) {
  return {
    call_id: call.id,
    from: call.from_number,
    to: call.to_number,
    status: call.status,
    direction: call.direction,
    sip_account_id: call.sip_account_id,
    agent_id: call.agent_id,
    call_flow_id: call.call_flow_id,
    duration: call.duration,
    cost: call.cost,
    hangup_cause: call.hangup_cause,
    sip_code: call.sip_code,
    created_at: call.created_at.toISOString(),
    answered_at: call.answered_at?.toISOString() ?? null,
    ended_at: call.ended_at?.toISOString() ?? null,
  }
}

function presentLeg(leg: CallLeg) {
  return {
    id: leg.id,
    role: leg.role,
    number: leg.gateway_id ? `+${leg.number}` : leg.number,
    gateway_id: leg.gateway_id,
    sip_account_id: leg.sip_account_id,
    agent_id: leg.agent_id,
    voice_agent_id: leg.voice_agent_id,
    uri: leg.uri,
    hangup_cause: leg.hangup_cause,
    sip_code: leg.sip_code,
    created_at: leg.created_at.toISOString(),
    answered_at: leg.answered_at?.toISOString() ?? null,
    ended_at: leg.ended_at?.toISOString() ?? null,
  }
}
