import { farPartyOf } from '../model/call-side.js'
import type { LiveCallAnswer } from './live-board.schema.js'
import type { ShownCall, ShownLeg } from './live-calls-table.js'

type AgentLeg = ShownLeg & { agent_id: string; username: string; display_name: string }

const hasAgent = (leg: ShownLeg): leg is AgentLeg => leg.username !== null

/** A call as the live board shows it. */
export function presentLiveCall(call: ShownCall): LiveCallAnswer {
  const legs = call.legs.filter(hasAgent)
  const voice = call.legs.find(({ voice_agent_id }) => voice_agent_id !== null)
  return {
    call_id: call.id,
    direction: call.direction,
    status: call.status,
    from: { number: call.from_number, name: call.from_name },
    to: { number: call.to_number, name: call.to_name },
    far_party: farPartyOf(call, ['destination']),
    agents: legs
      .filter(({ role }) => role !== 'supervisor')
      .map((leg) => ({ ...agentIn(leg), far_party: farPartyOf(call, [leg.role]) })),
    supervisors: legs
      .filter(({ role }) => role === 'supervisor')
      .map((leg) => ({ ...named(leg), since: (leg.answered_at ?? leg.created_at).toISOString() })),
    voice_agent_id: voice?.voice_agent_id ?? null,
    waiting:
      call.queue_team_id !== null && call.queue_entered_at
        ? { team_id: call.queue_team_id, entered_at: call.queue_entered_at.toISOString() }
        : null,
    recording: call.recording && {
      recording_id: call.recording.id,
      is_paused: call.recording.status === 'paused',
      since: call.recording.created_at.toISOString(),
    },
    created_at: call.created_at.toISOString(),
    answered_at: call.answered_at?.toISOString() ?? null,
  }
}

/** A caller is in the call from the start. */
function agentIn(leg: AgentLeg) {
  const talksSince = leg.role === 'caller' ? leg.created_at : leg.answered_at
  const since = (talksSince ?? leg.created_at).toISOString()
  return { ...named(leg), state: talksSince ? ('talking' as const) : ('ringing' as const), since }
}

function named({ agent_id, username, display_name }: AgentLeg) {
  return { agent_id, username, display_name }
}
