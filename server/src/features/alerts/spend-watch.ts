/** Alerts when a workspace has used most or all of a spending limit, and when its calls are refused unusually often. */
import type { Logger } from 'pino'
import { inBackground } from '../../infrastructure/database/pool-use.js'
import { RepeatingTask } from '../../lib/repeating-task.js'
import type { AlertDetails, AlertKind } from './alert.entity.js'
import type { AlertService } from './alert.service.js'
import type { CreditService, SpendLimit } from '../workspaces/credit.service.js'
import { sumOf } from '../../lib/money.js'
import { beginnings } from '../workspaces/spend-periods.js'

/** Why a call was refused. */
export type Refusal = 'concurrent' | 'rate' | 'country' | 'spend'

const checkMs = 2_000

/** Workspaces that are remembered between two looks; of more, those that spend next are looked at. */
const maxRemembered = 10_000

export class SpendWatch {
  private readonly spent = new Set<string>()
  /** Refusals in this hour, by workspace and kind. */
  private readonly refused = new Map<string, number>()
  private hour = 0
  private readonly looking: RepeatingTask

  constructor(
    private readonly credit: CreditService,
    private readonly alerts: AlertService,
    log: Logger,
    /** Refusals of one kind in an hour that raise an alert. */
    private readonly unusual: number,
  ) {
    this.looking = new RepeatingTask(
      {
        everyMs: checkMs,
        log,
        failure: ['alert.spend_check_failed', 'what was spent could not be looked at'],
      },
      async () => inBackground('', async () => this.look()),
    )
    credit.on('spent', (workspaceId) => {
      if (this.spent.size < maxRemembered) this.spent.add(workspaceId)
    })
  }

  start(): void {
    this.looking.start()
  }

  async stop(): Promise<void> {
    await this.looking.stop()
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
    if (count !== this.unusual) return
    const message = `${count} calls were refused within an hour: ${reasons[why]}`
    this.raise(workspaceId, `calls_refused_${why}`, hour, message, { calls: count })
  }

  private async look(): Promise<void> {
    const ids = [...this.spent]
    this.spent.clear()
    if (ids.length === 0) return
    try {
      for (const { workspace_id, limits } of await this.credit.limitedSpending(ids)) {
        for (const limit of limits) this.compare(workspace_id, limit)
      }
    } catch (error) {
      for (const id of ids) this.spent.add(id)
      throw error
    }
  }

  private compare(workspaceId: string, { name, max, spent: charged, held, began }: SpendLimit): void {
    const spent = sumOf([charged, held])
    const period = name === 'max_spend_per_day' ? 'day' : 'hour'
    const share = max === 0 ? 1 : spent / max
    const used = `${spent.toFixed(2)} of ${max.toFixed(2)} USD that may be spent in ${period === 'day' ? 'a day' : 'an hour'}, with what live calls hold`
    const details = { spent, max }
    if (share >= 1)
      this.raise(workspaceId, `spend_per_${period}_100`, began, `All is spent: ${used}`, details)
    else if (share >= 0.8)
      this.raise(workspaceId, `spend_per_${period}_80`, began, `Four fifths are spent: ${used}`, details)
  }

  private raise(
    workspace_id: string,
    kind: AlertKind,
    period_began: Date,
    message: string,
    details: AlertDetails,
  ): void {
    this.alerts.raiseLater({ workspace_id, kind, period_began, message, details })
  }
}

const reasons: Readonly<Record<Refusal, string>> = {
  concurrent: 'too many at once',
  rate: 'too many in a second',
  country: 'to countries or prefixes that may not be called',
  spend: 'as much is spent as may be',
}
