/** Supervision: which calls may be supervised, and starting and stopping it. */
import { dataOf } from '@jackfield/sdk'
import { useMe } from '../../api/me'
import { api } from '../../api/client'
import { isStatus } from '../../api/errors'
import { useAction } from '../../api/use-action'
import { textOf } from '../../i18n/texts'
import { type SupervisionMode, phone, usePhone } from '../phone/phone'
import { liveTexts } from './texts'
import { type LiveAgent, type LiveCall, otherParty } from './board'

export const supervisionModes = ['listen', 'whisper', 'barge'] as const satisfies SupervisionMode[]

/** Whether a supervisor may listen to a call: an agent of one of their teams is in it, and it is not their own. */
export function maySupervise(
  call: LiveCall,
  ownId: string,
  isTeammate: (agentId: string) => boolean,
): boolean {
  const talking = call.agents.filter(({ state }) => state === 'talking')
  if (talking.some(({ agent_id }) => agent_id === ownId)) return false
  return talking.some(({ agent_id }) => isTeammate(agent_id))
}

/** A test of ids: agents who share a team with the signed-in user. */
export function teammatesOf(
  agents: readonly LiveAgent[],
  ownId: string | undefined,
): (agentId: string) => boolean {
  const own = new Set(agents.find(({ agent_id }) => agent_id === ownId)?.team_ids)
  const ids = agents
    .filter(({ team_ids }) => team_ids.some((id) => own.has(id)))
    .map(({ agent_id }) => agent_id)
  const known = new Set(ids)
  return (agentId) => known.has(agentId)
}

/** Null for users who are not supervisors. */
export function useOwnSupervision() {
  const me = useMe()
  const { current } = usePhone()
  if (me?.role !== 'supervisor') return null
  const own = current?.kind === 'supervision' ? { callId: current.callId, mode: current.mode ?? null } : null
  return { ownId: me.id, own, isInCall: current !== null && own === null }
}

export function useSupervise() {
  return useAction<{ call: LiveCall; mode: SupervisionMode }>({
    run: async ({ call, mode }) => {
      const params = { path: { call_id: call.call_id }, query: { device: 'app' as const } }
      const started = await dataOf(
        mode === 'listen'
          ? api.POST('/call-center/calls/{call_id}/listen', { params })
          : mode === 'whisper'
            ? api.POST('/call-center/calls/{call_id}/whisper', { params })
            : api.POST('/call-center/calls/{call_id}/barge', { params }),
      )
      try {
        await phone.supervise(started, otherParty(call))
      } catch (error) {
        // Without a microphone the supervisor cannot join: end the supervision.
        await stop(call.call_id).catch(() => undefined)
        throw error
      }
    },
    explain: (error) =>
      isStatus(error, 409) && phone.snapshot().rings.length > 0
        ? textOf(liveTexts, 'ringsForYou')
        : undefined,
  })
}

export function useStopSupervising() {
  return useAction<LiveCall>({ run: async ({ call_id }) => stop(call_id) })
}

async function stop(call_id: string): Promise<unknown> {
  return dataOf(api.DELETE('/call-center/calls/{call_id}/supervision', { params: { path: { call_id } } }))
}
