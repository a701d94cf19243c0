/** When parts of an appliance had ended, and were up again. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { PartName, Plant } from './plant.js'
import type { Outage } from './reckoning.js'

export const parts = ['server', 'switch', 'kamailio', 'mariadb'] as const

const everyMs = 100

/** The end of a part this long after its fault was lifted, in milliseconds, has another cause. */
const afterMs = 2_000

export class Watch {
  private readonly outages = new Map<PartName, Outage[]>(parts.map((part) => [part, []]))
  private readonly stopping = new AbortController()

  constructor(private readonly plant: Plant) {
    void this.go()
  }

  stop(): void {
    this.stopping.abort()
  }

  /** Those that began while a fault lasted; the last may not be over, and ends now. */
  ended(part: PartName, { begin, end }: { begin: number; end: number }): Outage[] {
    return (this.outages.get(part) ?? [])
      .filter(({ begin: from, seenAt }) => seenAt >= begin && from <= end + afterMs)
      .map((outage) => ({ ...outage, end: Math.min(outage.end, Date.now()) }))
  }

  private async go(): Promise<void> {
    const { signal } = this.stopping
    const seenUp = new Map<PartName, { pid: number; at: number }>()
    while (!signal.aborted) {
      for (const part of parts) {
        const at = Date.now()
        const outages = this.outages.get(part) ?? []
        const pid = this.plant.upAs(part)
        const last = seenUp.get(part)
        // A part that restarted between two looks has ended, too.
        if (last && pid !== last.pid && !isOpen(outages)) {
          outages.push({ begin: last.at, seenAt: at, end: Infinity })
        }
        if (pid === 0) continue
        const open = outages.at(-1)
        if (open && isOpen(outages)) open.end = at
        seenUp.set(part, { pid, at })
      }
      await sleep(everyMs, undefined, { signal }).catch(() => undefined)
    }
  }
}

const isOpen = (outages: readonly Outage[]) => outages.at(-1)?.end === Infinity
