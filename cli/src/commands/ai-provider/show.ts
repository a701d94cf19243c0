import { showCommand } from '../../lib/resource-commands.js'

export default showCommand('/ai-providers/{id}', {
  summary: 'Show an AI provider',
  description: 'Of keys it tells which are there.',
  examples: ['ai-provider show aip_01'],
  host: 'operator',
})
