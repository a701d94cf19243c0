import { showCommand } from '../../lib/resource-commands.js'

export default showCommand('/ai-providers/{id}', {
  summary: 'Show an AI provider',
  description: 'Keys are not shown, only which ones are set.',
  examples: ['ai-provider show aip_01'],
  host: 'operator',
})
