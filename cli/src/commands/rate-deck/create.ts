import { createCommand } from '../../lib/resource-commands.js'
import { rateDeckFields } from '../../resources/rate-deck.js'

export default createCommand('/rate-decks', {
  summary: 'Create a rate deck',
  examples: ['rate-deck create --title Retail --default'],
  host: 'operator',
  fields: rateDeckFields,
})
