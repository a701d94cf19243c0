/** What dialling needs of a running call; the action context of a script has it. */
import type { Owner } from '../../../infrastructure/database/workspace-table.js'
import type { PhoneNumber } from '../../phone-numbers/phone-number.entity.js'
import type { Call } from '../model/call.entity.js'
import type { LegRefusal } from '../model/outcomes.js'
import type { CallRouting } from '../routing/call-routing.js'
import type { Route } from '../routing/route.js'
import type { VoiceAgentRoutes } from '../routing/voice-agent-routes.js'
import type { Member, TeamMembers } from './team-members.js'

/** What ringing a team needs. */
export interface RingContext {
  readonly call: Readonly<Call>
  readonly workspace: Owner
  readonly members: TeamMembers
  readonly queues: {
    /** The members who have no call and are being offered none. */
    free(members: readonly Member[]): Member[]
  }
}

/** What dialling any destination needs. */
export interface DialContext extends RingContext {
  readonly routing: CallRouting
  readonly voiceAgents: VoiceAgentRoutes
  /** The workspace's number that the call goes out with or came in on; null when it was deleted. */
  phoneNumber(): Promise<PhoneNumber | null>
  /**
   * Called once before each further leg of the call: holds credit for its first moment and, unless it is free or a
   * voice agent's, counts it among the calls that begin in this second.
   * @returns null when it may begin
   */
  mayBegin(route: Route): Promise<LegRefusal | null>
}

/** Ring time of a destination that names none, in seconds. */
export const defaultRingTimeout = 30
