import { listCommand } from '../../lib/list-command.js'

export default listCommand('/messages', {
  summary: 'List messages',
  examples: [
    'message list --workspace acme --search 5550142',
    'message list --workspace acme --filter status=failed --columns id,to,error_code,error_message --all --csv',
  ],
  shown: ['id', 'direction', 'from', 'to', 'body', 'status', 'cost', 'created_at'],
  hidden: [
    ...(['conversation_id', 'phone_number_id', 'client_number', 'sender_type', 'sender_id'] as const),
    ...(['media_urls', 'encoding', 'segments', 'error_code', 'error_message', 'updated_at'] as const),
  ],
  search: 'both numbers and the text',
  sortFields: ['created_at', 'updated_at', 'status'],
  filters: ['direction', 'status', 'phone_number_id', 'from', 'to_date'],
})
