/** Voice agents in calls. */
import type { Logger } from 'pino'
import { scripted } from '../../features/calls/session/live-call.js'
import type { CallSessions } from '../../features/calls/running/call-sessions.js'
import type { CallStore } from '../../features/calls/model/call-store.js'
import type { TransferLookup } from '../../features/calls/bridge/transfer-lookup.js'
import type { RouteDialer } from '../../features/calls/dialling/route-dialer.js'
import type { Config } from '../../config/config.js'
import type { Owner } from '../../infrastructure/database/workspace-table.js'
import type { EventSink } from '../../infrastructure/database/events.js'
import { SessionRecovery } from '../../features/voice-agents/sessions/session-recovery.js'
import { SessionStore } from '../../features/voice-agent-sessions/session-store.js'
import { VoiceAgentCalls } from '../../features/voice-agents/sessions/voice-agent-calls.js'
import { TransferTargets } from '../../features/voice-agents/tools/transfer-targets.js'
import { VoiceAgentToolRunner } from '../../features/voice-agents/tools/voice-agent-tool-runner.js'
import type { Core } from './core.js'
import type { Resources } from './resources.js'

interface Parts {
  events: EventSink
  /** Of calls, which are made with what this makes. */
  calls(): CallSessions
  store: CallStore
  /** Finds the people that calls can be transferred to. */
  anyone: TransferLookup['anyone']
  /** What requests to a workspace's servers are signed with. */
  secretOf(workspace: Owner): Promise<string>
}

export function wireVoiceAgents(
  config: Config,
  log: Logger,
  { database, client, workspaces }: Core,
  resources: Resources,
  parts: Parts,
) {
  const { voiceAgents, versions, speechProviders, speechTools, agents, teams } = resources
  const tools = new VoiceAgentToolRunner({
    ...{ tools: resources.tools, speechTools, store: parts.store, client, log },
    secretOf: async (workspace) => parts.secretOf(workspace),
    targets: new TransferTargets({
      ...{ lookup: { anyone: parts.anyone }, agents, teams },
      countryOf: async ({ id }) => (await workspaces.find(id))?.country_code ?? null,
    }),
  })
  const store = new SessionStore(database, parts.events)
  const calls = new VoiceAgentCalls({
    ...{ voiceAgents, versions, store, log, speech: speechProviders },
    tools,
    silenceSeconds: config.voice_agents.silence_seconds,
    live: (callId) => scripted(parts.calls().find(callId)),
    note: ({ id }, event, details) => scripted(parts.calls().find(id))?.note(event, details),
  })
  return {
    store,
    calls,
    /** Has the voice agents of earlier processes go on in the calls that are taken up. */
    recover: (sessions: CallSessions, routeDialer: RouteDialer, callStore: CallStore) => {
      const recovery = new SessionRecovery({
        routeDialer,
        store: callStore,
        sessions: store,
        voiceAgents: calls,
        log,
      })
      sessions.on('bridge', (call, bridge) => recovery.take(call, bridge))
      sessions.on('notRecovered', (call) => {
        recovery.ended(call).catch((error: unknown) => {
          log.warn(
            { event: 'voice_agent.sessions_left_open', err: error, call: call.id },
            'sessions of a call that is over are left open',
          )
        })
      })
      return recovery
    },
  }
}
