import type { components } from '@jackfield/sdk'

/** An erasure for display: `deleted  calls 12, messages 40`. */
export function readableErasure({
  deleted,
  waiting_for,
  requested_by,
  ...erasure
}: components['schemas']['Erasure']): object {
  return {
    ...erasure,
    deleted: countsOf(deleted),
    waiting_for: countsOf(waiting_for),
    requested_by: [requested_by.kind, requested_by.id].filter(Boolean).join(' '),
  }
}

function countsOf(counts: Record<string, number>): string {
  const texts = Object.entries(counts).map(([table, count]) => `${table} ${String(count)}`)
  return texts.join(', ') || 'nothing'
}
