import { actCommand } from '../../../lib/resource-commands.js'

export default actCommand('post', '/voice-agents/{id}/version', {
  summary: 'Make a new version of a voice agent, a copy of the published one',
  examples: ['voice-agent version create va_01 --workspace acme'],
  args: { id: 'id of the voice agent' },
  message: ({ version }) => `Version ${String(version)} is created.`,
})
