/** Streams, and what ends them. */
import type { Logger } from 'pino'
import { Streams } from '../../features/realtime/streams.js'
import type { Config } from '../../config/config.js'
import type { Calls } from './calls.js'
import type { Core } from './core.js'
import type { Resources } from './resources.js'

export function wireStreams(config: Config, log: Logger, core: Core, resources: Resources, calls: Calls) {
  const { hub } = core
  const { sessions, credentials } = resources
  sessions.on('ended', (credential) => hub.close({ credential }, 'session_ended'))
  return new Streams({
    ...{ hub, log, settings: config.stream },
    checkCall: async (workspace, person, callId) => calls.audiences.check(workspace, person, callId),
    stateOf: async (workspace, callId) => [
      ...(await calls.recordings.service.stateOf(workspace, callId)),
      ...(await calls.voiceAgentCalls.store.stateOf(callId)),
    ],
    validCredentials: async (some) => credentials.valid(some),
  })
}
