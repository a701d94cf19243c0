import { listCommand } from '../../lib/list-command.js'

export default listCommand('/rate-decks/{id}/rates', {
  summary: 'List the rates of a deck',
  examples: [
    'rate-deck rates rd_01 --filter prefix=44',
    'rate-deck rates rd_01 --filter number=447911123456',
  ],
  args: { id: 'id of the deck' },
  host: 'operator',
  shown: ['kind', 'prefix', 'destination', 'price', 'connection_fee', 'minimum_seconds', 'increment_seconds'],
  hidden: ['is_blocked', 'valid_from', 'rate_deck_id'],
  sortFields: [],
  filters: ['kind', 'prefix', 'number'],
})
