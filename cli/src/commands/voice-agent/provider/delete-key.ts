import { deleteCommand } from '../../../lib/resource-commands.js'

export default deleteCommand('/voice-agents/providers/{id}/key', {
  summary: 'Delete your own key of a provider, and use the platform’s again',
  examples: ['voice-agent provider delete-key aip_01 --workspace acme --yes'],
  args: { id: 'id of the provider' },
  question: (id) => `Delete the key of ${id}?`,
})
