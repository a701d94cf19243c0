import { actCommand } from '../../../lib/resource-commands.js'
import { cellLine } from '../../../resources/platform.js'

export default actCommand('delete', '/operator/cells/{name}/drain', {
  summary: 'Have a cell take calls again after a drain',
  examples: ['operator cells undrain two'],
  args: { name: 'name of the cell' },
  host: 'operator',
  told: cellLine,
})
