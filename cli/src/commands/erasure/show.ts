import { showCommand } from '../../lib/resource-commands.js'
import { readableErasure } from '../../resources/erasure.js'

export default showCommand('/erasures/{id}', {
  summary: 'Show the progress of an erasure, and what it has deleted',
  examples: ['erasure show ers_01 --workspace acme'],
  readable: readableErasure,
})
