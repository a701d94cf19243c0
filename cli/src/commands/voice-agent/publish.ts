import { actCommand } from '../../lib/resource-commands.js'
import { version } from '../../resources/voice-agent.js'

export default actCommand('patch', '/voice-agents/{id}/publish', {
  summary: 'Publish a version of a voice agent',
  examples: ['voice-agent publish va_01 --workspace acme --version 2'],
  fields: { version },
  message: ({ name, published_version }) => `${name} answers with version ${String(published_version)}.`,
})
