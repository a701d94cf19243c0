import { createCommand } from '../../lib/resource-commands.js'
import { text } from '../../lib/fields.js'

export default createCommand('/workspaces/{id}/administrators', {
  summary: 'Make an administrator of a workspace, with a link to set a password',
  description:
    'The link works once within 24 hours. For the username of an administrator it makes another link, in place of the one before.',
  examples: [
    'workspace invite acme --username amara --display-name Amara',
    'workspace invite acme --username amara --email amara@example.com',
  ],
  host: 'operator',
  fields: {
    username: text('username', '3 to 30 lowercase letters and digits', { ask: 'Username' }),
    'display-name': text('display_name', 'name that people read'),
    email: text('email', 'where the link is sent, too, where a mail server is set'),
  },
})
