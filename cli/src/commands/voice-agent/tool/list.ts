import { listCommand } from '../../../lib/list-command.js'

export default listCommand('/voice-agents/{id}/tools', {
  summary: 'List the tools of a voice agent',
  examples: ['voice-agent tool list va_01 --workspace acme'],
  args: { id: 'id of the voice agent' },
  shown: ['id', 'name', 'tool_type', 'description', 'is_active'],
  hidden: ['webhook_url', 'webhook_method', 'required_params', 'created_at', 'updated_at'],
  sortFields: [],
})
