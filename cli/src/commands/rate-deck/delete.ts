import { deleteCommand } from '../../lib/resource-commands.js'

export default deleteCommand('/rate-decks/{id}', {
  summary: 'Delete a rate deck which no workspace has, with its rates',
  examples: ['rate-deck delete rd_01 --yes'],
  host: 'operator',
})
