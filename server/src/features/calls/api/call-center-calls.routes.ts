import Type from 'typebox'
import { agent, endpoint } from '../../../infrastructure/http/endpoint.js'
import { notFound } from '../../../infrastructure/http/errors.js'
import { listAnswer, listOf, pageQuery } from '../../../infrastructure/http/lists.js'
import { Id, idParams } from '../../../infrastructure/http/shapes.js'
import type { Recording } from '../../recordings/recording.entity.js'
import type { RecordingService } from '../../recordings/recording.service.js'
import { type TeamAccess, managedTeamErrors } from '../../teams/team-access.js'
import type { SessionStore } from '../../voice-agent-sessions/session-store.js'
import {
  CallDialogueShape,
  TranscriptQuery,
  presentDialogue,
} from '../../voice-agent-sessions/session.schema.js'
import { AgentCallDetailShape, AgentCallShape, MissedCallShape, OwnCallShape } from './call-center.schema.js'
import type { CallList } from './call-list.js'
import type { HandledMissedCall, MissedCalls } from './missed-calls.js'
import type { OwnCalls } from './own-calls.js'
import { callSides } from '../model/call-side.js'
import { TeamCallQuery } from '../model/call.schema.js'
import type { CallHistory } from './call-history.js'
import type { CallLeg } from '../model/call-leg.entity.js'
import type { CallService } from './call.service.js'
import { presentBasics, presentMaskedEvent, presentOwnCall } from './present-call.js'

const tag = 'Call centre'

/** How many events and recordings of a call are shown. */
const shown = { page: 1, limit: 100 }

interface Services {
  calls: CallService
  history: CallHistory
  list: CallList
  ownCalls: OwnCalls
  missedCalls: MissedCalls
  recordings: RecordingService
  access: TeamAccess
  sessions: Pick<SessionStore, 'dialogueOf'>
}

export function callCenterCallEndpoints({
  calls,
  history,
  list,
  ownCalls,
  missedCalls,
  recordings,
  access,
  sessions,
}: Services) {
  const handling = (isHandled: boolean) =>
    endpoint({
      method: isHandled ? 'PUT' : 'DELETE',
      path: '/call-center/missed-calls/:id/handled',
      summary: isHandled ? 'Mark a missed call as handled' : 'Mark a missed call as open again',
      tag,
      auth: agent(),
      params: idParams,
      response: { 200: MissedCallShape },
      errors: { 404: 'No such missed call of the agent or their teams' },
      handler: async ({ workspace, actor, params }) =>
        presentMissedCall(await missedCalls.setHandled(workspace, actor.id, params.id, isHandled)),
    })
  return [
    endpoint({
      method: 'GET',
      path: '/call-center/calls',
      summary: 'List your own calls',
      description:
        'Calls that the agent made, answered or was rung for, newest first. Those that the agent only listened to are left out: ask for them with `side=supervision`.',
      tag,
      auth: agent(),
      query: Type.Object({
        ...pageQuery(20).properties,
        search: TeamCallQuery.properties.search,
        side: Type.Optional(
          Type.Enum([...callSides, 'missed'], {
            description: '`missed`: the agent was rung, and no one answered',
          }),
        ),
      }),
      response: { 200: listOf(OwnCallShape) },
      handler: async ({ workspace, actor, query }) =>
        listAnswer(query, await ownCalls.of(workspace, actor.id, query), presentOwnCall),
    }),
    endpoint({
      method: 'GET',
      path: '/call-center/missed-calls',
      summary: 'List missed calls',
      description:
        'Calls that were for the agent or one of their teams and that no one answered, newest first. A call is handled when an agent has talked to the caller since, or has marked it.',
      tag,
      auth: agent(),
      query: Type.Object({
        ...pageQuery(20).properties,
        state: Type.Enum(['open', 'handled', 'all'], { default: 'open' }),
      }),
      response: { 200: listOf(MissedCallShape) },
      handler: async ({ workspace, actor, query }) => {
        const handled = query.state === 'all' ? undefined : query.state === 'handled'
        const page = await missedCalls.of(workspace, actor.id, { ...query, handled })
        return listAnswer(query, page, presentMissedCall)
      },
    }),
    handling(true),
    handling(false),
    endpoint({
      method: 'GET',
      path: '/call-center/calls/:id',
      summary: 'Show a call with its legs, timeline and recordings',
      description:
        'For agents with a leg in the call, and for leaders and supervisors of teams whose agents have one. Has the first 100 events and recordings.',
      tag,
      auth: agent(),
      params: idParams,
      response: { 200: AgentCallDetailShape },
      errors: { 404: 'No such call, or not one that the agent may see' },
      handler: async ({ workspace, actor, params }) => {
        const call = await history.get(workspace, params.id, actor)
        const [own, legs, events, recorded] = await Promise.all([
          ownCalls.sideIn(workspace, actor.id, call),
          calls.legs(call),
          calls.events(workspace, call.id, shown),
          recordings.listOfCall(workspace, call.id, {
            ...shown,
            sort_field: 'created_at',
            sort_order: 'asc',
          }),
        ])
        const ids = new Set(legs.flatMap(({ agent_id }) => agent_id ?? []))
        const agents = await history.agents(workspace, [...ids])
        return {
          ...presentBasics(call),
          side: own?.side ?? null,
          is_missed: own?.is_missed ?? false,
          far_party: own?.far_party ?? null,
          legs: legs.map((leg) => presentLeg(leg, agents)),
          events: events.rows.map(presentMaskedEvent),
          recordings: recorded.rows.map(presentRecording),
        }
      },
    }),
    endpoint({
      method: 'GET',
      path: '/call-center/calls/:id/transcript',
      audited: 'transcript.read',
      summary: 'Read the transcript of a call that you may see',
      description: 'What the call’s parties and voice agents said, as in `GET /calls/:id/transcript`.',
      tag,
      auth: agent(),
      params: idParams,
      query: TranscriptQuery,
      response: { 200: listOf(CallDialogueShape) },
      errors: { 404: 'No such call, or not one that the agent may see' },
      handler: async ({ workspace, actor, params, query }) => {
        const call = await history.get(workspace, params.id, actor)
        return listAnswer(query, await sessions.dialogueOf(call, query), presentDialogue)
      },
    }),
    endpoint({
      method: 'GET',
      path: '/call-center/calls/:id/recordings/:recording_id/content',
      audited: 'recording.read',
      summary: 'Download a recording of a call that you may see',
      description: 'The same answer as `GET /recordings/:id/content`.',
      tag,
      auth: agent(),
      params: Type.Object({ id: Id(), recording_id: Id() }),
      response: { 200: Type.String({ format: 'binary', contentMediaType: 'audio/*' }) },
      errors: {
        404: 'No such call or recording, or not one that the agent may see',
        409: 'It is not ready, or has failed',
        416: 'The range is not within the file',
        503: 'The storage cannot be reached',
      },
      handler: async ({ workspace, actor, params }) => {
        const call = await history.get(workspace, params.id, actor)
        const { id, call_id } = await recordings.get(workspace, params.recording_id)
        if (call_id !== call.id) throw notFound(`Recording ${id} not found`)
        return recordings.content(workspace, id)
      },
    }),
    endpoint({
      method: 'GET',
      path: '/call-center/teams/:team_id/call-history',
      summary: 'List the calls of your team',
      description:
        'Ended calls that agents made, answered or were rung for while they were in the team, newest first.',
      tag,
      auth: agent('leader', 'supervisor'),
      params: Type.Object({ team_id: Id() }),
      query: TeamCallQuery,
      response: { 200: listOf(AgentCallShape) },
      errors: managedTeamErrors,
      handler: async ({ workspace, actor, params, query }) => {
        await access.manage(workspace, params.team_id, actor)
        const filter = { ...query, in_history_of: params.team_id }
        const { rows, total } = await list.page(workspace, filter)
        return listAnswer(query, { rows: await history.withAgents(workspace, rows), total }, presentBasics)
      },
    }),
  ]
}

function presentMissedCall(call: HandledMissedCall) {
  return {
    ...presentOwnCall(call),
    handled_at: call.handled_at?.toISOString() ?? null,
    handled_by: call.handled_by,
  }
}

function presentLeg(leg: CallLeg, agents: Awaited<ReturnType<CallHistory['agents']>>) {
  return {
    id: leg.id,
    role: leg.role,
    number: leg.gateway_id ? `+${leg.number}` : leg.number,
    agent: agents.get(leg.agent_id ?? '') ?? null,
    hangup_cause: leg.hangup_cause,
    created_at: leg.created_at.toISOString(),
    answered_at: leg.answered_at?.toISOString() ?? null,
    ended_at: leg.ended_at?.toISOString() ?? null,
  }
}

function presentRecording({ id, kind, status, format, channels, duration_ms, created_at }: Recording) {
  const duration = duration_ms === null ? null : duration_ms / 1000
  return { id, kind, status, format, channels, duration, created_at: created_at.toISOString() }
}
