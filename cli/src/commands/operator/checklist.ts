import { showCommand } from '../../lib/resource-commands.js'
import { checklistLines } from '../../resources/platform.js'

export default showCommand('/operator/checklist', {
  summary: 'Show what is set up, and what to do next',
  description: 'The exit code is 1 while something that is set up fails.',
  examples: ['operator checklist', 'operator checklist --json'],
  host: 'operator',
  told: checklistLines,
  isFailure: ({ items }) => items.some(({ state }) => state === 'failing'),
})
