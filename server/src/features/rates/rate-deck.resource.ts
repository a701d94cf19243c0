/** Rate decks, as the operator has them. */
import { listQuery } from '../../infrastructure/http/lists.js'
import { operatorResource } from '../../infrastructure/resources/resource.js'
import { CreateRateDeck, RateDeckShape, UpdateRateDeck } from './rates.schema.js'

export const rateDeckResource = operatorResource({
  ...{ path: '/rate-decks', noun: 'rate deck', tag: 'Rates' },
  shape: RateDeckShape,
  list: { query: listQuery({ limit: 20, sort: ['created_at', 'title'], search: 'Looks at id and title' }) },
  show: {},
  create: { body: CreateRateDeck },
  update: { body: UpdateRateDeck },
  delete: {
    summary: 'Delete a rate deck which no workspace has',
    errors: { 409: 'It is that of a workspace' },
  },
})
