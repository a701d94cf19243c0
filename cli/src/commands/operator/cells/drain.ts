import { actCommand } from '../../../lib/resource-commands.js'
import { cellLine } from '../../../resources/platform.js'

export default actCommand('put', '/operator/cells/{name}/drain', {
  summary: 'Have a cell take no new calls, so that it can be maintained',
  description:
    'Calls that live in it go on to their end; new ones go to the other cells. It holds until `jackfield operator cells undrain`.',
  examples: ['operator cells drain two'],
  args: { name: 'name of the cell' },
  host: 'operator',
  told: cellLine,
})
