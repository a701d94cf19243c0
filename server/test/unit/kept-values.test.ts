/** Values that are kept until their owner changes. */
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import { getMetadataArgsStorage } from 'typeorm'
import '../../src/app/entities.js'
import { keptTables } from '../../src/features/cluster/kept-rows.js'
import { KeptValues } from '../../src/lib/kept-values.js'
import { pathOf } from '../support/paths.js'

describe('values that are kept', () => {
  let lifeMs = 1_000
  const newKept = (options = {}) =>
    new KeptValues({ max: 6, maxOfOwner: 3, lifeMs: () => lifeMs, settlingMs: 0, ...options })
  let looked: string[] = []
  const look = (name: string) => async (): Promise<{ name: string }> => {
    looked.push(name)
    return Promise.resolve({ name })
  }
  const ask = async (kept: KeptValues, owner: string, key: string) => {
    const before = looked.length
    await kept.get(owner, key, look(`${owner} ${key}`))
    return looked.length > before ? 'looked up' : 'kept'
  }

  beforeEach(() => {
    looked = []
    lifeMs = 1_000
  })

  it('are looked up once, and again once their owner has changed', async () => {
    const kept = newKept()
    expect([await ask(kept, 'a', '1'), await ask(kept, 'a', '1'), await ask(kept, 'b', '1')]).to.deep.equal([
      ...['looked up', 'kept', 'looked up'],
    ])
    kept.forget('a')
    expect([await ask(kept, 'a', '1'), await ask(kept, 'b', '1')]).to.deep.equal(['looked up', 'kept'])
    kept.forgetAll()
    expect([await ask(kept, 'a', '1'), await ask(kept, 'b', '1')]).to.deep.equal(['looked up', 'looked up'])
  })

  it('are not those that were there before a change', async () => {
    const kept = newKept()
    for (const change of [() => kept.forget('a'), () => kept.forgetAll()]) {
      let finish: (value: string) => void = () => undefined
      const late = kept.get('a', '1', async () => new Promise<string>((resolve) => (finish = resolve)))
      change()
      finish('old')
      expect(await late).to.equal('old')
      expect(await kept.get('a', '1', async () => Promise.resolve('new'))).to.equal('new')
      kept.forgetAll()
    }
  })

  it('are no nulls, no failures, and nothing that no longer holds', async () => {
    const kept = newKept()
    const results = [
      async () => Promise.resolve(null),
      async () => Promise.reject(new Error('down')),
      look('a'),
    ]
    expect(await kept.get('a', '1', results[0]!)).to.equal(null)
    expect(await kept.get('a', '1', results[1]!).catch(() => 'failed')).to.equal('failed')
    const soon = () => Date.now() + 50
    await kept.get('a', '1', results[2]!, soon)
    expect(await ask(kept, 'a', '1')).to.equal('kept')
    await sleep(60)
    expect(await ask(kept, 'a', '1')).to.equal('looked up')
    await kept.get('a', '2', look('a 2'), () => 0)
    expect(await ask(kept, 'a', '2')).to.equal('looked up')
  })

  it('live for a bounded time, and not at all while nothing is to be kept', async () => {
    const kept = newKept()
    lifeMs = 50
    expect([await ask(kept, 'a', '1'), await ask(kept, 'a', '1')]).to.deep.equal(['looked up', 'kept'])
    await sleep(60)
    expect(await ask(kept, 'a', '1')).to.equal('looked up')
    lifeMs = 0
    expect([await ask(kept, 'a', '1'), await ask(kept, 'a', '1')]).to.deep.equal(['looked up', 'looked up'])
  })

  it('are not kept for a moment after a change, where the database may not have it everywhere', async () => {
    const kept = newKept({ settlingMs: 50 })
    for (const change of [() => kept.forget('a'), () => kept.forgetAll()]) {
      change()
      expect([await ask(kept, 'a', '1'), await ask(kept, 'a', '1')]).to.deep.equal(['looked up', 'looked up'])
      await sleep(60)
      expect([await ask(kept, 'a', '1'), await ask(kept, 'a', '1')]).to.deep.equal(['looked up', 'kept'])
    }
  })

  it('are few for each owner and in all: those asked for longest ago go', async () => {
    const kept = newKept()
    for (const key of ['1', '2', '3']) await ask(kept, 'a', key)
    await ask(kept, 'b', '1')
    expect(await ask(kept, 'a', '1')).to.equal('kept')
    await ask(kept, 'a', '4')
    expect(kept.size).to.equal(4)
    expect([await ask(kept, 'b', '1'), await ask(kept, 'a', '1')]).to.deep.equal(['kept', 'kept'])
    expect(await ask(kept, 'a', '2')).to.equal('looked up')
    for (const owner of ['c', 'd', 'e']) await ask(kept, owner, '1')
    expect(kept.size).to.be.at.most(6)
    expect(await ask(kept, 'a', '1')).to.equal('kept')
    expect(await ask(kept, 'b', '1')).to.equal('looked up')
  })

  it('are shared, and cannot be changed by those who ask', async () => {
    const kept = newKept()
    const value = await kept.get('a', '1', look('a'))
    expect(() => (value.name = 'b')).to.throw(TypeError)
    expect(await kept.get('a', '1', look('a'))).to.equal(value)
  })
})

describe('rows that are kept', () => {
  /** Files that write them and need not say so. */
  const silent: Readonly<Record<string, string>> = {
    'features/webhooks/delivery-attempt.ts': 'how long a webhook has failed is not kept',
    'infrastructure/database/reseal.ts': 'both keys open what it writes, and a reload of keys forgets all',
  }

  it('are forgotten by whatever writes them: it says so, or writes by a WorkspaceTable', () => {
    const tables = Object.keys(keptTables)
    const classes = getMetadataArgsStorage()
      .tables.filter(({ name }) => tables.includes(String(name)))
      .map(({ target }) => (target as { name: string }).name)
    expect(classes).to.have.length(tables.length)
    const writes = new RegExp(
      `(UPDATE|INSERT INTO|REPLACE INTO|DELETE FROM) \`?(${tables.join('|')})\\b` +
        `|(update|insert|upsert|delete|save)\\((${classes.join('|')})\\b`,
    )
    const source = pathOf('server/src')
    const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((file) => {
      if (!file.endsWith('.ts') || file.includes('migrations/')) return false
      const text = readFileSync(join(source, file), 'utf8')
      return writes.test(text) && !text.includes('rowsChanged(')
    })
    expect(files.filter((file) => !(file in silent))).to.deep.equal([])
  })
})
