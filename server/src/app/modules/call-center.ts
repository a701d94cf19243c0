import { appCallEndpoints } from '../../features/calls/api/app-calls.routes.js'
import { callCenterCallEndpoints } from '../../features/calls/api/call-center-calls.routes.js'
import { callCenterRecordingEndpoints } from '../../features/calls/api/call-center-recordings.routes.js'
import type { CallHistory } from '../../features/calls/api/call-history.js'
import type { CallList } from '../../features/calls/api/call-list.js'
import { CallRecordingRights } from '../../features/calls/api/call-recording-rights.js'
import { MissedCalls } from '../../features/calls/api/missed-calls.js'
import { OwnCalls } from '../../features/calls/api/own-calls.js'
import { DestinationRows } from '../../features/calls/api/destination-rows.js'
import { Destinations } from '../../features/calls/api/destinations.js'
import { destinationEndpoints } from '../../features/calls/api/destinations.routes.js'
import { ContactNames } from '../../features/contacts/contact-names.js'
import { liveBoardEndpoints } from '../../features/calls/live-board/live-board.routes.js'
import { LiveBoard } from '../../features/calls/live-board/live-board.js'
import { supervisionEndpoints } from '../../features/calls/api/supervision.routes.js'
import { transferEndpoints } from '../../features/calls/api/transfers.routes.js'
import type { Endpoint } from '../../infrastructure/http/endpoint.js'
import { meEndpoints } from '../../features/me/me.routes.js'
import { agentNumberEndpoints } from '../../features/phone-numbers/agent-numbers.routes.js'
import { teamStateEndpoints } from '../../features/presence/team-states.routes.js'
import { callCenterTeamEndpoints } from '../../features/teams/call-center-teams.routes.js'
import { colleagueEndpoints } from '../../features/teams/colleagues.routes.js'
import { VoicemailService } from '../../features/voicemails/voicemail.service.js'
import { voicemailEndpoints } from '../../features/voicemails/voicemails.routes.js'
import type { Calls } from './calls.js'
import type { Core } from './core.js'
import type { Resources } from './resources.js'

/** What agents do with their access tokens. */
export function callCenterEndpoints(
  core: Core,
  resources: Resources,
  calls: Calls,
  { history, list }: { history: CallHistory; list: CallList },
): readonly Endpoint[] {
  const { me, agents, agentPresenter, memberships, teamPresenter, agentStates } = resources
  const { teams, teamAccess: access, phoneNumbers } = resources
  const recordings = calls.recordings.service
  const liveBoard = new LiveBoard({
    ...{ database: core.database, agents, teams, memberships, agentStates },
    calls: calls.liveCallsTable,
  })
  const sessions = calls.voiceAgentCalls.store
  const ownCalls = new OwnCalls(core.database, history)
  const missedCalls = new MissedCalls({
    ...{ database: core.database, history, ownCalls },
    changed: (workspaceId, callId) => calls.waiting.changed('missed_calls', workspaceId, callId),
  })
  const destinations = new Destinations({
    ...{ rows: new DestinationRows(core.database), contactNames: new ContactNames(core.database) },
    ...{ presence: resources.presence, numbers: resources.numbers },
    ...{ phoneNumbers, countries: resources.countries },
  })
  return [
    ...meEndpoints({
      ...{ me, agents, presenter: agentPresenter, memberships, teamPresenter, agentStates },
      mailer: core.mailer,
    }),
    ...agentNumberEndpoints({ phoneNumbers }),
    ...callCenterTeamEndpoints({ teams, memberships, access, presenter: teamPresenter, agentPresenter }),
    ...colleagueEndpoints({ agents, agentPresenter }),
    ...teamStateEndpoints({ access, memberships, agentStates }),
    ...appCallEndpoints(calls),
    ...callCenterCallEndpoints({
      ...{ calls: calls.calls, history, list, ownCalls, recordings, access, sessions },
      missedCalls,
    }),
    ...callCenterRecordingEndpoints({
      ...{ history, recordings },
      rights: new CallRecordingRights({
        database: core.database,
        isForAgents: async ({ id }) => (await core.workspaces.find(id))?.agents_pause_recordings ?? false,
      }),
    }),
    ...voicemailEndpoints({
      ...{ recordings, missedCalls },
      voicemails: new VoicemailService({
        ...{ database: core.database, history, ownCalls, recordings },
        changed: (workspaceId, callId) => calls.waiting.changed('voicemails', workspaceId, callId),
      }),
    }),
    ...liveBoardEndpoints({ liveBoard }),
    ...destinationEndpoints({ destinations }),
    ...supervisionEndpoints(calls),
    ...transferEndpoints(calls),
  ]
}
