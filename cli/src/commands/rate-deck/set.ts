import { setCommand } from '../../lib/resource-commands.js'
import { rateDeckFields } from '../../resources/rate-deck.js'

export default setCommand('/rate-decks/{id}', {
  summary: 'Change a rate deck',
  examples: ['rate-deck set rd_01 --default'],
  host: 'operator',
  fields: rateDeckFields,
})
