import { listCommand } from '../../lib/list-command.js'

export default listCommand('/audit-log', {
  summary: 'List who changed what in a workspace',
  examples: [
    'audit list --workspace acme',
    'audit list --workspace acme --filter action=agent.update --columns created_at,actor,target,changes',
    'audit list --workspace acme --filter ip=198.51.100.9 --filter action=agent.login_failed',
    'audit list --workspace acme --filter from=2026-01-01T00:00:00Z --all --csv',
  ],
  shown: ['created_at', 'actor', 'action', 'target', 'changed'],
  hidden: ['id', 'target_id', 'changes', 'ip', 'request_id'],
  cells: {
    actor: ({ actor }) => actor.id ?? actor.kind,
    target: ({ target }) => target.name ?? target.id,
    target_id: ({ target }) => target.id,
    changed: ({ changes }) => Object.keys(changes),
  },
  sortFields: [],
  ordered: 'created_at',
  filters: ['actor', 'action', 'target_id', 'ip', 'from', 'to'],
})
