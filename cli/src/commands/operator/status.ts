import { showCommand } from '../../lib/resource-commands.js'
import { statusLines } from '../../resources/platform.js'

export default showCommand('/operator/status', {
  summary: 'Show the state of every part of the platform, and its queues',
  description: 'The exit code is 1 while a part is down.',
  examples: ['operator status', 'operator status --json'],
  host: 'operator',
  message: statusLines,
  isFailure: ({ state }) => state !== 'ok',
})
