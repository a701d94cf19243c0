import { secret } from '../../lib/file-fields.js'
import { createCommand } from '../../lib/resource-commands.js'
import { agentFields } from '../../resources/agent.js'

export default createCommand('/agents', {
  summary: 'Create an agent',
  examples: [
    'agent create --workspace acme --username anna --display-name "Anna Smith" --email anna@example.com --password-file password.txt',
  ],
  fields: { ...agentFields, password: secret('password', '6 to 50 characters', 'Password') },
})
