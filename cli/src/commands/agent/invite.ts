import { actCommand } from '../../lib/resource-commands.js'

export default actCommand('post', '/agents/{id}/invitation', {
  summary: 'Make a link at which an agent sets their password',
  description:
    'The link works once within 24 hours, and replaces the one before. It is mailed, too, where a mail server is set and the agent has an e-mail.',
  examples: ['agent invite ag_01 --workspace acme'],
})
