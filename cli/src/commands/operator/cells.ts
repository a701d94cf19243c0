import { showCommand } from '../../lib/resource-commands.js'
import { cellLines } from '../../resources/platform.js'

export default showCommand('/operator/cells', {
  summary: 'List cells: switches, each with the servers that drive it',
  description: 'The exit code is 1 while one is down.',
  examples: ['operator cells', 'operator cells --json'],
  host: 'operator',
  message: cellLines,
  isFailure: ({ data }) => data.some(({ is_up }) => !is_up),
})
