/** The time of a log-in tells nothing: an unknown name costs as much work as a wrong password. Hashes are counted. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import type { ApiClient } from '../support/api-client.js'
import type { Appliance, TestWorkspace } from '../support/appliance.js'
import { newPerson, startUnlimited, succeed } from './fixtures.js'

/** Loaded into the server before all else: writes a line for each hash that is made or compared, with its cost. */
const counting = (library: string, log: string) => `
const argon2 = require(${JSON.stringify(library)})
const { appendFileSync } = require('node:fs')
const { hash, verify } = argon2
argon2.hash = (password, options, ...more) => {
  appendFileSync(${JSON.stringify(log)}, 'hash ' + JSON.stringify(options) + '\\n')
  return hash(password, options, ...more)
}
argon2.verify = (hashed, ...more) => {
  appendFileSync(${JSON.stringify(log)}, 'verify ' + String(hashed).split('$').slice(1, 4).join(' ') + '\\n')
  return verify(hashed, ...more)
}
`

describe('the cost of a log-in', function () {
  this.timeout(60_000)
  let folder: string
  let log: string
  let appliance: Appliance
  let workspace: TestWorkspace
  let visitor: ApiClient

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'jackfield-hashes-'))
    log = join(folder, 'hashes')
    const preload = join(folder, 'preload.cjs')
    const library = createRequire(import.meta.url).resolve('@node-rs/argon2')
    await writeFile(preload, counting(library, log))
    await writeFile(log, '')
    appliance = await startUnlimited({ NODE_OPTIONS: `--require=${preload}` })
    workspace = await appliance.workspace()
    visitor = workspace.api.with({ authorization: undefined })
  })
  after(async () => {
    await appliance?.stop()
    await rm(folder, { recursive: true, force: true })
  })

  /** The hashes that were made and compared for a request, and its answer. */
  async function costOf(work: () => Promise<{ status: number; body: unknown }>) {
    const { length } = await readFile(log, 'utf8')
    const { status, body } = await work()
    const hashes = (await readFile(log, 'utf8')).slice(length).split('\n').filter(Boolean)
    return { status, body: withoutId(body), hashes }
  }

  const logIn = async (username: string, password: string) =>
    costOf(async () => visitor.post('/auth/login', { username, password, device_id: 'd1' }))

  for (const [kind, is_admin] of [
    ['agent', false],
    ['admin', true],
  ] as const)
    it(`of an ${kind} is one comparison, whether or not there is one of the name`, async () => {
      const person = await newPerson(workspace)
      if (is_admin) await succeed(workspace.api.patch(`/agents/${person.id}`, { is_admin }))
      const gone = await newPerson(workspace)
      await succeed(workspace.api.patch(`/agents/${gone.id}`, { is_active: false }))
      const wrong = await logIn(person.username, 'not the password 1')
      expect(wrong.status).to.equal(401)
      expect(wrong.hashes).to.have.length(1)
      expect(wrong.hashes[0]).to.match(/^verify argon2id v=19 m=19456,t=2,p=1$/)
      expect(await logIn(`${person.username}x`, 'not the password 1')).to.deep.equal(wrong)
      expect(await logIn(gone.username, 'not the password 1')).to.deep.equal(wrong)
      expect(await logIn(gone.username, gone.password), 'inactive').to.deep.equal(wrong)
      const right = await logIn(person.username, person.password)
      expect(right.status).to.equal(200)
      expect(right.hashes).to.deep.equal(wrong.hashes)
    })

  it('of a key or the operator is no hash of a password, and says nothing of which part was wrong', async () => {
    const keys = [`${workspace.sid}:wrong`, 'SK00000000000000000000000000000000:wrong'].map(
      (text) => `ApiKey ${Buffer.from(text).toString('base64')}`,
    )
    const answers = []
    for (const authorization of keys)
      answers.push(await costOf(async () => visitor.with({ authorization }).get('/agents')))
    const operator = appliance.operator
    for (const token of ['op-0', 'x'.repeat(200)])
      answers.push(
        await costOf(async () => operator.with({ authorization: `Operator ${token}` }).get('/workspaces')),
      )
    for (const { status, hashes } of answers) {
      expect(status).to.equal(401)
      expect(hashes).to.deep.equal([])
    }
    expect(answers[0]).to.deep.equal(answers[1])
    expect(answers[2]).to.deep.equal(answers[3])
  })

  it('is not to be had from resets: what is asked for is looked at after the answer, and no token costs a hash', async () => {
    const person = await newPerson(workspace)
    const email = `${person.username}@example.com`
    await succeed(person.api.patch('/me', { email, current_password: person.password }))
    const forgot = async (username: string, to: string) =>
      costOf(async () => visitor.post('/auth/forgot-password', { username, email: to }))
    const known = await forgot(person.username, email)
    expect(known.status).to.be.below(300)
    expect(known.hashes).to.deep.equal([])
    expect(await forgot(`${person.username}x`, email)).to.deep.equal(known)
    expect(await forgot(person.username, 'other@example.com')).to.deep.equal(known)
    const reset = await costOf(async () =>
      visitor.post('/auth/reset-password', { token: 'wrong', password: 'a new passw0rd' }),
    )
    expect(reset.status).to.equal(400)
    expect(reset.hashes).to.deep.equal([])
  })
})

/** A body without what each answer has of its own. */
function withoutId(body: unknown): unknown {
  if (typeof body !== 'object' || body === null) return body
  const { request_id: _, ...others } = body as Record<string, unknown>
  return others
}
