/** What edges hear of changed numbers, and when they are said to know all. */
import { setImmediate as turn } from 'node:timers/promises'
import { expect } from 'chai'
import { pino } from 'pino'
import type { DataSource, EntityManager } from 'typeorm'
import { rowsChanged } from '../../src/infrastructure/database/row-changes.js'
import { type NumberKeeper, NumbersAtEdges } from '../../src/features/sip-trunks/numbers-at-edges.js'

/** An edge that says what it hears, and answers when a test wants. */
class FakeEdge implements NumberKeeper {
  readonly heard: string[] = []
  isDown = false
  private answer: Promise<void> = Promise.resolve()

  /** @returns has it answer what it hears meanwhile */
  hold(): () => void {
    let answer = () => {}
    this.answer = new Promise((resolve) => (answer = resolve))
    return () => answer()
  }

  async forgetNumbers(): Promise<void> {
    if (this.isDown) throw new Error('it does not answer')
    this.heard.push('forget')
    await this.answer
  }

  async confirmNumbers(): Promise<void> {
    if (this.isDown) throw new Error('it does not answer')
    this.heard.push('confirm')
    return Promise.resolve()
  }
}

describe('numbers that edges keep', () => {
  let source: DataSource
  const near = new FakeEdge()
  const far = new FakeEdge()
  let numbers: NumbersAtEdges

  beforeEach(() => {
    source = {} as DataSource
    for (const edge of [near, far])
      Object.assign(edge, { heard: [], isDown: false, answer: Promise.resolve() })
    numbers = new NumbersAtEdges([near, far], pino({ enabled: false }))
    numbers.follow({ source })
  })
  afterEach(async () => numbers.stop())

  const change = (table = 'phone_numbers') =>
    rowsChanged({ dataSource: source } as EntityManager, table, 'acme')
  /** As five seconds later. */
  const confirm = async () => {
    void numbers.stop()
    numbers.start()
    for (let turns = 0; turns < 10; turns += 1) await turn()
  }

  it('are looked up again after a start, before they are confirmed', async () => {
    await confirm()
    await confirm()
    for (const { heard } of [near, far]) expect(heard).to.deep.equal(['forget', 'confirm', 'confirm'])
  })

  it('are looked up again before a change is answered, and after no other one', async () => {
    await confirm()
    near.heard.length = 0
    for (const table of ['phone_numbers', 'inbound_acls', 'inbound_acl_addresses']) {
      change(table)
      await numbers.settled()
      expect(near.heard.splice(0), table).to.deep.equal(['forget'])
    }
    change('call_flows')
    await numbers.settled()
    expect(near.heard).to.deep.equal([])
  })

  it('are looked up once more when something changes while an edge is being told, and confirmed after that', async () => {
    await confirm()
    near.heard.length = 0
    const answer = near.hold()
    change()
    await turn()
    for (let changes = 0; changes < 20; changes += 1) change()
    let isSettled = false
    const settled = numbers.settled().then(() => (isSettled = true))
    await confirm()
    expect([near.heard, isSettled]).to.deep.equal([['forget'], false])
    answer()
    await settled
    await confirm()
    expect(near.heard.slice(0, 3)).to.deep.equal(['forget', 'forget', 'confirm'])
    expect(near.heard.filter((word) => word === 'forget')).to.have.lengthOf(2)
  })

  it('are not confirmed to an edge that could not be told, until it was; the others are', async () => {
    await confirm()
    far.heard.length = 0
    far.isDown = true
    change()
    await numbers.settled()
    near.heard.length = 0
    await confirm()
    expect([near.heard, far.heard]).to.deep.equal([['confirm'], []])
    far.isDown = false
    const answer = far.hold()
    change()
    await numbers.settled()
    expect(far.heard, 'requests do not wait for it').to.deep.equal([])
    answer()
    await confirm()
    expect(far.heard).to.deep.equal(['forget', 'confirm'])
  })
})
