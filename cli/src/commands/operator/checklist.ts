import { showCommand } from '../../lib/resource-commands.js'
import { checklistLines } from '../../resources/platform.js'

export default showCommand('/operator/checklist', {
  summary: 'Show the setup checklist, and the next steps',
  description: 'The exit code is 1 if something that is set up fails.',
  examples: ['operator checklist', 'operator checklist --json'],
  host: 'operator',
  message: checklistLines,
  isFailure: ({ items }) => items.some(({ state }) => state === 'failing'),
})
