/** The master key is replaced while servers work: two keys are known, and all rows are sealed with the new one. */
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import { Keyring } from '../../src/infrastructure/database/keyring.js'
import { purposes, sealedColumns } from '../../src/infrastructure/database/sealed-columns.js'
import { SecretBox } from '../../src/infrastructure/database/secrets.js'
import { Appliance, type TestWorkspace } from '../support/appliance.js'
import { query } from './database.js'
import { gateway } from './fixtures.js'

const program = fileURLToPath(new URL('../../src/bin/reseal.js', import.meta.url))
const [old, fresh] = [randomBytes(32), randomBytes(32)]
const extra = 1_000

describe('another master key', function () {
  this.timeout(60_000)
  let appliance: Appliance
  let acme: TestWorkspace

  before(async () => {
    appliance = await Appliance.start({ settings: { JACKFIELD_SECRET_KEY: old.toString('base64') } })
    acme = await appliance.workspace()
    const box = new SecretBox(new Keyring(old))
    const rows = Array.from({ length: extra }, (_, index) => {
      const sid = `sid-${String(index).padStart(28, '0')}`
      return [
        sid,
        acme.id,
        'Many',
        'any',
        'viewer',
        box.seal(`secret ${index}`, purposes.apiKey(sid)),
        new Date(),
      ]
    })
    const columns = 'sid, workspace_id, title, scope, role, secret, created_at'
    await query(appliance, `INSERT INTO api_keys (${columns}) VALUES ?`, [rows])
  })
  after(async () => appliance?.stop())

  const environment = () => ({
    JACKFIELD_SECRET_KEY: fresh.toString('base64'),
    JACKFIELD_SECRET_KEY_OLD: old.toString('base64'),
  })

  /** Runs the program to its end, or kills it once it has told of so many batches. */
  async function reseal(
    batches = Infinity,
    whenBegun?: () => void,
  ): Promise<{ code: number | null; last: string }> {
    const child = spawn(process.execPath, [program], {
      env: { ...process.env, ...appliance.settings, ...environment() },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let said = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      if (said === '') whenBegun?.()
      said += text
      if (said.split('\n').length > batches) child.kill('SIGKILL')
    })
    const code = await new Promise<number | null>((done) => child.on('close', done))
    return { code, last: said.trim().split('\n').at(-1) ?? '' }
  }

  async function sealedWith(key: Buffer): Promise<number> {
    const prefix = new SecretBox(new Keyring(key)).prefix
    const [row] = await query(
      appliance,
      'SELECT COUNT(*) AS `rows` FROM api_keys WHERE LEFT(secret, ?) = ?',
      [prefix.length, prefix],
    )
    return Number(row?.rows)
  }

  it('has a column for every purpose, and each is there', async () => {
    expect(sealedColumns.map(({ purpose }) => purpose)).to.have.members(Object.values(purposes))
    for (const { table, id, column } of sealedColumns)
      await query(appliance, `SELECT ${id}, ${column} FROM ${table} LIMIT 1`)
  })

  it('reads what the old one sealed, and goes on after kill -9', async () => {
    const credential = { username: 'acme', password: 'carriers-secret' }
    const { body } = await acme.api.post('/sip-trunks/gateways', { ...gateway, credential })
    await query(appliance, 'UPDATE outbound_gateways SET credential_password = ? WHERE id = ?', [
      namelessSeal('carriers-secret', purposes.gateway(body.id)),
      body.id,
    ])
    const port = await appliance.startAnotherServer(environment())
    const status = async () => (await acme.api.with({ port }).get('/api-keys')).status
    expect(await status()).to.equal(200)
    expect((await reseal(1)).code).to.equal(null)
    const [before, after] = [await sealedWith(old), await sealedWith(fresh)]
    expect(before).to.be.above(0)
    expect(after).to.be.within(200, extra)
    expect(await status()).to.equal(200)
    const { code, last } = await reseal()
    expect(code).to.equal(0)
    const { sealed, unreadable } = JSON.parse(last) as { sealed: number; unreadable: number }
    expect(unreadable).to.equal(0)
    expect(sealed).to.be.at.least(before + 1) // the gateway too
    expect(await sealedWith(old)).to.equal(0)
    const only = await appliance.startAnotherServer({ ...environment(), JACKFIELD_SECRET_KEY_OLD: '' })
    expect((await acme.api.with({ port: only }).get('/api-keys')).status).to.equal(200)
    const [row] = await query(appliance, 'SELECT credential_password FROM outbound_gateways WHERE id = ?', [
      body.id,
    ])
    const box = new SecretBox(new Keyring(fresh))
    expect(box.open(row?.credential_password ?? '', purposes.gateway(body.id))).to.equal('carriers-secret')
  })

  it('finds what was sealed with the old one behind it', async () => {
    const box = new SecretBox(new Keyring(old))
    const rowsOf = (from: string) =>
      Array.from({ length: extra }, (_, index) => {
        const sid = `sid-${from}${String(index).padStart(27, '0')}`
        const secret = box.seal(`secret ${index}`, purposes.apiKey(sid))
        return [sid, acme.id, 'Many', 'any', 'viewer', secret, new Date()]
      })
    const columns = 'sid, workspace_id, title, scope, role, secret, created_at'
    const insert = async (rows: unknown[][]) =>
      query(appliance, `INSERT INTO api_keys (${columns}) VALUES ?`, [rows])
    await insert(rowsOf('2'))
    let late: Promise<unknown> | undefined
    const { code } = await reseal(Infinity, () => {
      late = insert(rowsOf('1').slice(0, 1))
    })
    await late
    expect(code).to.equal(0)
    expect(await sealedWith(old)).to.equal(0)
  })

  /** As secrets were sealed before they named their key. */
  function namelessSeal(plain: string, purpose: string): string {
    const [, , ...rest] = new SecretBox(new Keyring(old)).seal(plain, purpose).split('.')
    return ['v1', ...rest].join('.')
  }
})

describe('a database of a newer version', function () {
  this.timeout(60_000)

  it('is refused by server and migrations', async () => {
    const appliance = await Appliance.start()
    try {
      const later = 'INSERT INTO migrations (timestamp, name) VALUES (1890000000000, ?)'
      await query(appliance, later, ['Later1890000000000'])
      for (const name of ['main', 'migrate']) {
        const child = spawn(process.execPath, [program.replace('reseal', name)], {
          env: { ...process.env, ...appliance.settings },
          stdio: ['ignore', 'ignore', 'pipe'],
        })
        let said = ''
        child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text))
        expect(await new Promise<number | null>((done) => child.on('close', done)), name).to.equal(1)
        expect(said).to.include('of a newer version of Jackfield (Later1890000000000)')
      }
    } finally {
      await appliance.stop()
    }
  })
})
