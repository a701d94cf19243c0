/** Voice agents, as the API has them. */
import { listQuery } from '../../infrastructure/http/lists.js'
import { resource } from '../../infrastructure/resources/resource.js'
import { VoiceAgent } from './voice-agent.entity.js'
import { VoiceAgentShape } from './voice-agent.schema.js'

/** What shows the settings of a version, too, is an endpoint of its own. */
export const voiceAgentResource = resource({
  ...{ path: '/voice-agents', noun: 'voice agent', tag: 'Voice agents' },
  ...{ id: 'va', table: VoiceAgent, search: ['name'] },
  shape: VoiceAgentShape,
  list: { query: listQuery({ limit: 10, sort: ['created_at', 'name'], search: 'Looks at the name' }) },
  delete: {
    summary: 'Delete a voice agent with all its versions and tools',
    errors: { 409: 'An extension or a call flow uses it' },
  },
})
