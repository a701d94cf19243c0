import Type from 'typebox'
import { RawAnswer, apiKey, endpoint, mayWrite } from '../../../infrastructure/http/endpoint.js'
import { listAnswer, listOf, maxPageSize } from '../../../infrastructure/http/lists.js'
import { idParams } from '../../../infrastructure/http/shapes.js'
import type { Owner } from '../../../infrastructure/database/workspace-table.js'
import type { SessionStore } from '../../voice-agent-sessions/session-store.js'
import { presentSession } from '../../voice-agent-sessions/session.schema.js'
import { exportCalls, maxExportedCalls } from './call-export.js'
import type { CallHistory, HandledCall, ShownOffer } from './call-history.js'
import type { CallLeg } from '../model/call-leg.entity.js'
import { forwardedFrom } from '../model/diversions.js'
import type { CallList } from './call-list.js'
import {
  CallDetailShape,
  CallEventShape,
  CallFilter,
  CallQuery,
  CallRecordShape,
  MadeCallShape,
  MakeCall,
  UpdateActions,
  UpdatedActionsShape,
} from '../model/call.schema.js'
import type { CallService } from './call.service.js'
import { recoveringCalls } from '../session/live-calls.js'
import { presentBasics, presentEvent, presentMaskedEvent } from './present-call.js'

const tag = 'Calls'
const read = apiKey('any')
const write = apiKey('full')

interface Services {
  calls: CallService
  list: CallList
  history: CallHistory
  /** @throws 404 unknown, 409 while it is live */
  deletions: { call(workspace: Owner, id: string): Promise<unknown> }
  legNames: (workspace: Owner, legs: readonly CallLeg[]) => Promise<ReadonlyMap<string, string>>
  voiceAgentSessions: Pick<SessionStore, 'sessionsOf'>
}

export function callEndpoints({ calls, list, history, deletions, legNames, voiceAgentSessions }: Services) {
  return [
    endpoint({
      method: 'GET',
      path: '/calls',
      summary: 'List calls',
      tag,
      auth: read,
      query: CallQuery,
      response: { 200: listOf(CallRecordShape) },
      handler: async ({ workspace, query }) => {
        const { rows, total } = await list.page(workspace, query)
        return listAnswer(query, { rows: await history.withAgents(workspace, rows), total }, presentCall)
      },
    }),
    // Its path would match /calls/:id, too.
    endpoint({
      method: 'GET',
      path: '/calls/export.csv',
      audited: 'call.export',
      summary: 'Download calls as CSV',
      description: `Newest first, ${maxExportedCalls} at most: ask for a shorter period to get the rest. Cells that a spreadsheet would run as a formula start with an apostrophe.`,
      tag,
      auth: read,
      tier: 'heavy',
      query: CallFilter,
      response: { 200: Type.String({ format: 'binary', contentMediaType: 'text/csv' }) },
      handler: async ({ workspace, query }) =>
        new RawAnswer(
          'text/csv; charset=utf-8; header=present',
          await exportCalls(list, history, workspace, query),
          {
            'Content-Disposition': `attachment; filename="calls-${workspace.id}.csv"`,
            'Cache-Control': 'no-store',
          },
        ),
    }),
    endpoint({
      method: 'GET',
      path: '/calls/:id',
      summary: 'Show a call with its legs, the agents that it rang, and voice agents',
      tag,
      auth: read,
      params: idParams,
      response: { 200: CallDetailShape },
      errors: { 404: 'No such call' },
      handler: async ({ workspace, params }) => {
        const call = await calls.get(workspace, params.id)
        const [handled, legs, offers, sessions] = await Promise.all([
          history.withAgent(workspace, call),
          calls.legs(call),
          history.offers(call),
          voiceAgentSessions.sessionsOf(call),
        ])
        const names = await legNames(workspace, legs)
        return {
          ...presentCall(handled),
          legs: legs.map((leg) => presentLeg(leg, names)),
          offers: offers.map(presentOffer),
          voice_agent_sessions: sessions.map(presentSession),
        }
      },
    }),
    endpoint({
      method: 'GET',
      path: '/calls/:id/events',
      summary: 'Read a call’s timeline',
      description:
        'Read-only keys see `********` in place of credentials in URLs, and of the headers of requests and responses.',
      tag,
      auth: read,
      params: idParams,
      query: Type.Object({
        page: Type.Integer({ minimum: 1, maximum: 1_000, default: 1 }),
        limit: Type.Integer({ minimum: 1, maximum: maxPageSize, default: 50 }),
      }),
      response: { 200: listOf(CallEventShape) },
      errors: { 404: 'No such call' },
      handler: async ({ workspace, actor, params, query }) => {
        const events = await calls.events(workspace, params.id, query)
        return listAnswer(query, events, mayWrite(actor) ? presentEvent : presentMaskedEvent)
      },
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
      drivesCalls: 'call',
      summary: 'Replace the actions of a live call, or add to them',
      description:
        'Works for calls that run a flow, too. `replace` stops the running action and starts the new ones at once; `push` starts them after the remaining ones.',
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
      method: 'DELETE',
      path: '/calls/:id',
      summary: 'Delete a call',
      description:
        'With its legs, timeline, transcripts and recordings. Its cost stays in the ledger and in the usage.',
      tag,
      auth: apiKey('full', ['owner', 'editor']),
      params: idParams,
      response: { 200: CallRecordShape },
      errors: { 404: 'No such call', 409: 'It lives, or is being recorded' },
      handler: async ({ workspace, params }) => {
        const call = await history.withAgent(workspace, await calls.get(workspace, params.id))
        await deletions.call(workspace, params.id)
        return presentCall(call)
      },
    }),
    endpoint({
      method: 'POST',
      path: '/calls/:id/hangup',
      drivesCalls: 'call',
      summary: 'Hang up a call, or stop calling',
      tag,
      auth: write,
      params: idParams,
      response: { 200: CallRecordShape },
      errors: { 404: 'No such call', 503: recoveringCalls },
      handler: async ({ workspace, params }) =>
        presentCall(await history.withAgent(workspace, await calls.hangUp(workspace, params.id))),
    }),
  ]
}

function presentCall(call: HandledCall) {
  return {
    ...presentBasics(call),
    sip_account_id: call.sip_account_id,
    agent_id: call.agent_id,
    call_flow_id: call.call_flow_id,
    cost: call.cost,
    hangup_cause: call.hangup_cause,
    sip_code: call.sip_code,
    caller_verification: call.caller_verification,
    forwarded_from: forwardedFrom(call.diversions),
  }
}

function presentOffer({ began_at, ended_at, ...offer }: ShownOffer) {
  return { ...offer, began_at: began_at.toISOString(), ended_at: ended_at?.toISOString() ?? null }
}

function presentLeg(leg: CallLeg, names: ReadonlyMap<string, string>) {
  return {
    id: leg.id,
    role: leg.role,
    number: leg.gateway_id ? `+${leg.number}` : leg.number,
    name: names.get(leg.id) ?? null,
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
