/** Tells when a workspace has spent most or all of what it may, and when its calls are refused unusually often. */
import type { Logger } from 'pino'
import type { AlertKind } from './alert.entity.js'
import type { AlertService } from './alert.service.js'
import type { CreditService, SpendLimit } from '../workspaces/credit.service.js'
import { beginnings } from '../workspaces/spend-periods.js'

/** Why a call was refused. */
export type Refusal = 'concurrent' | 'rate' | 'country' | 'spend'

/** Refusals of one kind in an hour that are told. */
const unusual = 20

const checkMs = 2_000

/** Workspaces that are remembered between two looks; of more, those that spend next are looked at. */
const maxRemembered = 10_000

export class SpendWatch {
  private readonly spent = new Set<string>()
  /** Refusals in this hour, by workspace and kind. */
  private readonly refused = new Map<string, number>()
  private hour = 0
  private timer: NodeJS.Timeout | undefined
  private looking: Promise<void> = Promise.resolve()

  constructor(
    private readonly credit: CreditService,
    private readonly alerts: AlertService,
    private readonly log: Logger,
  ) {
    credit.on('spent', (workspaceId) => {
      if (this.spent.size < maxRemembered) this.spent.add(workspaceId)
    })
  }

  start(): void {
    this.timer = setInterval(() => {
      this.looking = this.looking
        .then(async () => this.look())
        .catch((error: unknown) => {
          this.log.warn({ err: error }, 'what was spent could not be looked at')
        })
    }, checkMs)
  }

  async stop(): Promise<void> {
    clearInterval(this.timer)
    await this.looking
  }

  /** Counts a call that was refused. Each server counts for itself. */
  refusedCall(workspaceId: string, why: Refusal): void {
    const { hour } = beginnings(new Date())
    if (this.hour !== hour.getTime()) {
      this.refused.clear()
      this.hour = hour.getTime()
    }
    const key = `${workspaceId} ${why}`
    const count = (this.refused.get(key) ?? 0) + 1
    if (count > 1 || this.refused.size < maxRemembered) this.refused.set(key, count)
    if (why === 'spend' && this.spent.size < maxRemembered) this.spent.add(workspaceId)
    if (count !== unusual) return
    const message = `${unusual} calls were refused within an hour: ${reasons[why]}`
    this.raise(workspaceId, `calls_refused_${why}`, hour, message)
  }

  private async look(): Promise<void> {
    const ids = [...this.spent]
    this.spent.clear()
    if (ids.length === 0) return
    for (const { workspace_id, limits } of await this.credit.limitedSpending(ids)) {
      for (const limit of limits) this.compare(workspace_id, limit)
    }
  }

  private compare(workspaceId: string, { name, max, spent, began }: SpendLimit): void {
    const period = name === 'max_spend_per_day' ? 'day' : 'hour'
    const share = max === 0 ? 1 : spent / max
    const told = `${spent.toFixed(2)} of ${max.toFixed(2)} USD that may be spent in ${period === 'day' ? 'a day' : 'an hour'}`
    if (share >= 1) this.raise(workspaceId, `spend_per_${period}_100`, began, `All is spent: ${told}`)
    else if (share >= 0.8)
      this.raise(workspaceId, `spend_per_${period}_80`, began, `Four fifths are spent: ${told}`)
  }

  private raise(workspace_id: string, kind: AlertKind, period_began: Date, message: string): void {
    this.alerts.raise({ workspace_id, kind, period_began, message }).catch((error: unknown) => {
      this.log.warn({ err: error, workspace: workspace_id, alert: kind }, 'an alert could not be raised')
    })
  }
}

const reasons: Readonly<Record<Refusal, string>> = {
  concurrent: 'too many at once',
  rate: 'too many in a second',
  country: 'to countries or prefixes that may not be called',
  spend: 'as much is spent as may be',
}
