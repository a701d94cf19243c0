import { newId } from '../../../infrastructure/database/ids.js'
import { free } from '../../rates/rating.js'
import type { CallLeg } from './call-leg.entity.js'
import type { Call } from './call.entity.js'

type Known = Pick<CallLeg, 'channel_id' | 'role' | 'number' | 'uri'>

/** The row of a new leg: by default free, and without a party of the workspace. */
export function newLeg(
  { id, workspace_id }: Pick<Call, 'id' | 'workspace_id'>,
  known: Known & Partial<CallLeg>,
): CallLeg {
  return {
    ...{ id: newId('leg'), call_id: id, workspace_id },
    ...{ gateway_id: null, sip_account_id: null, agent_id: null, voice_agent_id: null },
    ...{ ...free, charged_seconds: null, cost: null },
    ...{ created_at: new Date(), answered_at: null },
    ...{ ended_at: null, hangup_cause: null, sip_code: null, is_ended_by_peer: null, sip_call_id: null },
    ...known,
  }
}
