import { actCommand } from '../../../lib/resource-commands.js'
import { cellLine } from '../../../resources/platform.js'

export default actCommand('delete', '/operator/cells/{name}/drain', {
  summary: 'End the drain of a cell',
  examples: ['operator cells undrain two'],
  args: { name: 'name of the cell' },
  host: 'operator',
  message: cellLine,
})
