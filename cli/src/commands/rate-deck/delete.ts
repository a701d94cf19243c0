import { deleteCommand } from '../../lib/resource-commands.js'

export default deleteCommand('/rate-decks/{id}', {
  summary: 'Delete a rate deck that no workspace uses, with its rates',
  examples: ['rate-deck delete rd_01 --yes'],
  host: 'operator',
})
