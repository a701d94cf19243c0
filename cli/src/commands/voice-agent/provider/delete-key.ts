import { deleteCommand } from '../../../lib/resource-commands.js'

export default deleteCommand('/voice-agents/providers/{id}/key', {
  summary: 'Delete your own key of a provider: the platform’s is used again',
  examples: ['voice-agent provider delete-key aip_01 --workspace acme --yes'],
  args: { id: 'id of the provider' },
  question: (id) => `Delete the key of ${id}?`,
})
