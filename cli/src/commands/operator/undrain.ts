import { actCommand } from '../../lib/resource-commands.js'
import { drainLine } from '../../resources/maintenance.js'

export default actCommand('delete', '/operator/drain', {
  summary: 'Take calls again after a drain',
  examples: ['operator undrain'],
  host: 'operator',
  told: drainLine,
})
