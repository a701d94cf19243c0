import { showCommand } from '../../lib/resource-commands.js'
import { statusLines } from '../../resources/platform.js'

export default showCommand('/operator/status', {
  summary: 'Show how every part of the platform is doing, and what waits',
  description: 'The exit code is 1 while a part is down.',
  examples: ['operator status', 'operator status --json'],
  host: 'operator',
  told: statusLines,
  isFailure: ({ state }) => state !== 'ok',
})
