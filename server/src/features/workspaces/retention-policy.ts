/** For how long a workspace's data is kept: its own choice, else the operator's, within the operator's bounds. */
import type { Config } from '../../config/config.js'
import type { FieldProblem } from '../../infrastructure/http/errors.js'

export const retentionKinds = [
  ...(['calls', 'messages', 'recordings', 'ledger', 'webhook_deliveries', 'audit_log'] as const),
] as const
export type RetentionKind = (typeof retentionKinds)[number]

/** The field in which a workspace says for how many days; null: as the operator says. */
export const retentionFields = {
  calls: 'call_retention_days',
  messages: 'message_retention_days',
  recordings: 'recording_retention_days',
  ledger: 'ledger_retention_days',
  webhook_deliveries: 'webhook_delivery_retention_days',
  audit_log: 'audit_log_retention_days',
} as const satisfies Record<RetentionKind, string>

export type RetentionDays = { [K in RetentionKind as (typeof retentionFields)[K]]: number | null }

/** Days: `days` is what holds, null for ever; a workspace may choose from `min_days` to `max_days`, null without an end. */
export interface Retention {
  days: number | null
  min_days: number
  max_days: number | null
}

const dayMs = 86_400_000

export class RetentionPolicy {
  private readonly defaults: Readonly<Record<RetentionKind, number>>

  constructor(
    private readonly settings: Pick<Config, 'retention' | 'recordings' | 'webhooks' | 'audit_log'>,
  ) {
    const { retention, recordings, webhooks, audit_log } = settings
    this.defaults = {
      calls: retention.calls_days,
      messages: retention.messages_days,
      recordings: recordings.retention_days,
      ledger: retention.ledger_days,
      webhook_deliveries: webhooks.kept_days,
      audit_log: audit_log.kept_days,
    }
  }

  of(kind: RetentionKind, own: number | null): Retention {
    const { retention } = this.settings
    const min_days = retention[`${kind}_min_days`]
    const max_days = retention[`${kind}_max_days`] || null
    const chosen = own ?? (this.defaults[kind] || null)
    // The operator's default is not held to the least that workspaces may choose; what they chose before is.
    const least = own === null ? chosen : chosen && Math.max(chosen, min_days)
    const days = max_days === null ? least : Math.min(least ?? max_days, max_days)
    return { days, min_days, max_days }
  }

  /** What is from before this moment is deleted; null: nothing is. */
  cutoff(kind: RetentionKind, own: number | null, now: Date): Date | null {
    const { days } = this.of(kind, own)
    return days === null ? null : new Date(now.getTime() - days * dayMs)
  }

  all(own: RetentionDays): Record<RetentionKind, Retention> {
    const entries = retentionKinds.map((kind) => [kind, this.of(kind, own[retentionFields[kind]])] as const)
    return Object.fromEntries(entries) as Record<RetentionKind, Retention>
  }

  /** What of a workspace's choice is out of the operator's bounds. */
  problemsOf(choice: Partial<RetentionDays>): FieldProblem[] {
    return retentionKinds.flatMap((kind) => {
      const field = retentionFields[kind]
      const days = choice[field]
      const { min_days, max_days } = this.of(kind, null)
      if (days === undefined || days === null) return []
      if (days < min_days) return [problem(field, `must be at least ${min_days}`)]
      return max_days !== null && days > max_days ? [problem(field, `must be at most ${max_days}`)] : []
    })
  }
}

function problem(field: string, rule: string): FieldProblem {
  return { field, messages: [`${field} ${rule}: the operator sets these bounds`] }
}
