import { listCommand } from '../../lib/list-command.js'

export default listCommand('/webhooks/{id}/deliveries', {
  summary: 'List the deliveries of a webhook',
  examples: [
    'webhook deliveries wh_01 --workspace acme',
    'webhook deliveries wh_01 --workspace acme --filter status=failed --all --csv',
  ],
  args: { id: 'id of the webhook' },
  shown: ['id', 'event', 'status', 'attempts', 'response_status', 'created_at', 'next_attempt_at'],
  hidden: ['event_id', 'error', 'duration_ms', 'attempted_at'],
  sortFields: ['created_at'],
  filters: ['status', 'event'],
})
