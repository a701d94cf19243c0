import { actCommand } from '../../lib/resource-commands.js'
import { drainLine } from '../../resources/maintenance.js'

export default actCommand('delete', '/operator/drain', {
  summary: 'End the drain of the platform',
  examples: ['operator undrain'],
  host: 'operator',
  message: drainLine,
})
