import { expect } from 'chai'
import { afterEach, beforeEach, describe, it } from 'mocha'
import {
  appendFileSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { copyState } from '../backups/copies.mjs'
import { finishSwap, writePlan } from '../backups/swap.mjs'

describe('files in a backup', () => {
  let folder = ''
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'jackfield-copies-'))))
  afterEach(() => rmSync(folder, { recursive: true }))

  it('are those from before the database was read and those that came until it was', async () => {
    const [from, to] = [join(folder, 'media'), join(folder, 'copy')]
    for (const name of ['audios', 'recordings/incoming', 'tts'])
      mkdirSync(join(from, name), { recursive: true })
    writeFileSync(join(from, 'audios/deleted'), 'its row may have been read')
    writeFileSync(join(from, 'audios/half.tmp'), 'no row is of it')
    writeFileSync(join(from, 'tts/speech'), 'is rendered again')
    writeFileSync(join(from, 'recordings/incoming/growing'), 'first')
    /** @type {import('../backups/places.mjs').Place} */
    const place = { name: 'media', folder: from, leftOut: ['tts'] }
    await copyState(place, to)
    rmSync(join(from, 'audios/deleted'))
    writeFileSync(join(from, 'audios/new'), 'its row may have been read too')
    appendFileSync(join(from, 'recordings/incoming/growing'), ' and more')
    await copyState(place, to)
    appendFileSync(join(from, 'recordings/incoming/growing'), ' that came too late')
    expect(readdirSync(to).sort()).to.deep.equal(['audios', 'recordings'])
    expect(readdirSync(join(to, 'audios')).sort()).to.deep.equal(['deleted', 'new'])
    expect(readFileSync(join(to, 'recordings/incoming/growing'), 'utf8')).to.equal('first and more')
    expect(statSync(join(to, 'audios/new')).nlink, 'linked').to.equal(2)
  })

  it('may be read-only, also where they are copied by somebody who is not root', async () => {
    const [from, to] = [join(folder, 'home'), join(folder, 'copy')]
    mkdirSync(join(from, 'acme'), { recursive: true })
    writeFileSync(join(from, 'acme/key'), 'of an account', { mode: 0o400 })
    /** @type {import('../backups/places.mjs').Place} */
    const place = { name: 'home', folder: from, leftOut: [] }
    const user = 10_001
    for (const path of [folder, from, join(from, 'acme'), join(from, 'acme/key')]) chownSync(path, user, user)
    const uid = process.getuid
    process.seteuid?.(user)
    process.getuid = () => user
    try {
      await copyState(place, to)
      await copyState(place, to)
    } finally {
      if (uid) process.getuid = uid
      process.seteuid?.(0)
    }
    expect(readFileSync(join(to, 'acme/key'), 'utf8')).to.equal('of an account')
    expect(statSync(join(to, 'acme/key')).mode & 0o777).to.equal(0o400)
  })

  it('change places with the old, also when that was cut short anywhere', () => {
    for (let cut = 0; cut <= 2; cut += 1) {
      const home = join(folder, `home${cut}`)
      const fresh = join(home, '.restored')
      for (const path of [fresh, join(fresh, 'new'), join(home, 'aside')])
        mkdirSync(path, { recursive: true })
      for (const name of ['secrets', 'media']) {
        mkdirSync(join(fresh, 'new', name), { recursive: true })
        writeFileSync(join(fresh, 'new', name, 'of'), 'the backup')
        mkdirSync(join(home, name))
        writeFileSync(join(home, name, 'of'), 'before')
      }
      mkdirSync(join(home, 'other'))
      const moves = ['secrets', 'media', 'other'].map((name) => ({
        from: name === 'other' ? null : join(fresh, 'new', name),
        ...{ to: join(home, name), aside: join(home, 'aside', name) },
      }))
      // What a run that was killed has done of it.
      if (cut >= 1)
        writePlan(home, {
          moves: [{ ...moves[0], from: null, to: join(home, 'secrets'), aside: join(home, 'aside/secrets') }],
          leftovers: [],
        })
      if (cut >= 1) finishSwap(home)
      if (cut >= 2) writePlan(home, { moves: moves.slice(0, 1), leftovers: [] })
      if (cut >= 2) finishSwap(home)
      writePlan(home, { moves, leftovers: [fresh] })
      expect(finishSwap(home)).to.equal(true)
      for (const name of ['secrets', 'media']) {
        expect(readFileSync(join(home, name, 'of'), 'utf8')).to.equal('the backup')
        expect(readFileSync(join(home, 'aside', name, 'of'), 'utf8')).to.equal('before')
      }
      expect(existsSync(join(home, 'other'))).to.equal(false)
      expect(existsSync(fresh)).to.equal(false)
      expect(finishSwap(home)).to.equal(false)
    }
  })
})
