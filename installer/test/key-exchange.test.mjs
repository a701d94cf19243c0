/** The exchange of the master key, with servers that learn of it when they like, killed wherever it can be. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { afterEach, beforeEach, describe, it } from 'mocha'
import { exchangeKeys } from '../key-exchange.mjs'

describe('the exchange of the master key', () => {
  /** @type {string} */
  let folder
  beforeEach(() => {
    folder = join(mkdtempSync(join(tmpdir(), 'jackfield-keys-')), 'secrets')
    mkdirSync(folder)
    writeFileSync(join(folder, 'secret-key'), 'before\n')
    writeFileSync(join(folder, 'secret-key-old'), '\n')
  })
  afterEach(() => rmSync(join(folder, '..'), { recursive: true }))

  /** What a server reads, the key that it seals with first. */
  const keys = () => {
    const text = (/** @type {string} */ name) => readFileSync(join(folder, name), 'utf8').trim()
    return [text('secret-key'), ...text('secret-key-old').split(',').filter(Boolean)]
  }

  it('lets no server seal with a key that another one cannot read with', async () => {
    /** @type {string[][]} */
    const confirmed = [keys()]
    const fresh = await exchangeKeys(folder, {
      fresh: () => 'after',
      confirm: async (wanted) => {
        expect(keys()).to.deep.equal(wanted)
        const known = confirmed.at(-1) ?? []
        // A server that has heard of nothing since the last step and one that has just read the files.
        expect(known).to.include(wanted[0])
        expect(wanted).to.include(known[0])
        confirmed.push(wanted)
      },
    })
    expect(fresh).to.equal('after')
    expect(confirmed).to.deep.equal([['before'], ['before', 'after'], ['after', 'before']])
  })

  it('goes on with the same key where a server was not to be had', async () => {
    let left = 1
    const confirm = async () => {
      if (left-- === 0) throw new Error('a server is away')
    }
    let made = 0
    const fresh = () => `after${++made}`
    for (let tries = 0; tries < 3; tries++) {
      left = tries
      await exchangeKeys(folder, { fresh, confirm }).catch(() => undefined)
      expect(keys()).to.include('before')
    }
    left = Infinity
    expect(await exchangeKeys(folder, { fresh, confirm })).to.equal('after1')
    expect(keys()).to.deep.equal(['after1', 'before'])
  })

  const between = [
    { name: 'before the first step', current: 'before', old: '', next: 'after' },
    { name: 'of the version before', current: 'before', old: 'before', next: 'after' },
    { name: 'when all know it', current: 'before', old: 'after,before', next: 'after' },
    { name: 'when it has just been swapped', current: 'after', old: 'after,before', next: 'after' },
    { name: 'when the old one is to read with', current: 'after', old: 'before', next: 'after' },
    { name: 'before secrets are sealed', current: 'after', old: 'before', next: null },
  ]
  for (const { name, current, old, next } of between) {
    it(`goes on where it was killed ${name}`, async () => {
      writeFileSync(join(folder, 'secret-key'), `${current}\n`)
      writeFileSync(join(folder, 'secret-key-old'), `${old}\n`)
      if (next) writeFileSync(join(folder, 'secret-key-next'), `${next}\n`)
      const fresh = () => expect.fail('another key is made')
      expect(await exchangeKeys(folder, { fresh, confirm: async () => undefined })).to.equal('after')
      expect(keys()).to.deep.equal(['after', 'before'])
    })
  }
})
