/** Voice agents in calls. */
import type { Logger } from 'pino'
import type { CallSessions } from '../calls/call-sessions.js'
import type { CallStore } from '../calls/call-store.js'
import type { Hunt } from '../calls/hunt.js'
import type { Config } from '../config.js'
import type { EventSink } from '../database/events.js'
import { SessionRecovery } from '../voice-agents/sessions/session-recovery.js'
import { SessionStore } from '../voice-agents/sessions/session-store.js'
import { VoiceAgentCalls } from '../voice-agents/sessions/voice-agent-calls.js'
import type { ToolRunner } from '../voice-agents/tools/tool-runner.js'
import type { Core } from './core.js'
import type { Resources } from './resources.js'

interface Parts {
  events: EventSink
  /** Of calls, which are made with what this makes. */
  calls(): CallSessions
}

export function wireVoiceAgents(
  config: Config,
  log: Logger,
  { database }: Core,
  resources: Resources,
  parts: Parts,
) {
  const { voiceAgents, versions, speechProviders } = resources
  const store = new SessionStore(database, parts.events)
  const calls = new VoiceAgentCalls({
    ...{ voiceAgents, versions, store, log, speech: speechProviders },
    tools: noTools,
    silenceSeconds: config.voice_agents.silence_seconds,
    live: (callId) => parts.calls().find(callId),
    note: ({ id }, event, details) => parts.calls().find(id)?.note?.(event, details),
  })
  return {
    store,
    calls,
    /** Has the voice agents of earlier processes go on in the calls that are taken up. */
    recover: (sessions: CallSessions, hunt: Hunt, callStore: CallStore) => {
      const recovery = new SessionRecovery({ hunt, store: callStore, voiceAgents: calls, log })
      sessions.on('talk', (call, talk) => recovery.take(call, talk))
    },
  }
}

const noTools: ToolRunner = {
  toolsOf: async () => Promise.resolve([]),
  run: async () => Promise.resolve({ output: JSON.stringify({ error: 'there is no such tool' }) }),
}
