/** When calls are ended that have used up their credit. */
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import { pino } from 'pino'
import type { Call } from '../../src/features/calls/model/call.entity.js'
import type { CreditHolds } from '../../src/features/calls/limits/credit-holds.js'
import { CreditWatch } from '../../src/features/calls/limits/credit-watch.js'
import { billedSeconds, costOf, perMinute } from '../../src/features/rates/rating.js'

/** Nothing more can be held. */
const holds = {
  seconds: 60,
  raise: async () => Promise.resolve(new Map<string, number>()),
} as unknown as CreditHolds

describe('a call whose credit is used up', () => {
  /** @returns milliseconds that are left of what it could pay when it is ended */
  async function leftOf(increment: number): Promise<number> {
    const rate = { ...perMinute(6), minimum_seconds: increment, increment_seconds: increment }
    const held = 60
    const answeredAt = Date.now() - (held * 1_000 - 4_000)
    const credit = new CreditWatch(holds, pino({ level: 'silent' }))
    let endedAt: number | undefined
    const call = {
      call: { id: 'call_1', workspace_id: 'ws', credit_held: costOf(held, rate) } as Call,
      costAt: (now: Date) => costOf(billedSeconds(new Date(answeredAt), now), rate),
      increment,
      hangUp: async () => {
        endedAt = Date.now()
        return Promise.resolve()
      },
    }
    while (endedAt === undefined) {
      await credit.check([call])
      await sleep(500)
    }
    credit.stop()
    return answeredAt + held * 1_000 - endedAt
  }

  it('is ended right before the second that it cannot pay', async () => {
    expect(await leftOf(1)).to.be.within(-1_000, 300)
  })

  it('is ended well before a whole step of it that it cannot pay', async () => {
    expect(await leftOf(60)).to.be.within(1_500, 2_100)
  })
})
