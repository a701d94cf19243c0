import { actCommand } from '../../../lib/resource-commands.js'
import { cellLine } from '../../../resources/platform.js'

export default actCommand('put', '/operator/cells/{name}/drain', {
  summary: 'Drain a cell for maintenance',
  description:
    'Its live calls continue to their end; new ones go to the other cells, until `jackfield operator cells undrain`.',
  examples: ['operator cells drain two'],
  args: { name: 'name of the cell' },
  host: 'operator',
  message: cellLine,
})
