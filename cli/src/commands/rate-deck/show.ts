import { showCommand } from '../../lib/resource-commands.js'

export default showCommand('/rate-decks/{id}', {
  summary: 'Show a rate deck',
  examples: ['rate-deck show rd_01'],
  host: 'operator',
})
