import { expect } from 'chai'
import { setTimeout as sleep } from 'node:timers/promises'
import { Appliance, type TestWorkspace } from '../support/appliance.js'
import type { ApiClient } from '../support/api-client.js'
import { agentInput, audio, clientToken, keyWith, succeed } from './fixtures.js'
import { client, newTextingNumber, sendText } from './message-fixtures.js'

const limit = 20

describe('rate limits', function () {
  this.timeout(90_000)
  let appliance: Appliance
  let workspace: TestWorkspace
  before(async () => {
    appliance = await Appliance.start({
      switch: 'sandbox',
      settings: {
        ...{ JACKFIELD_RATE_LIMITS_DEFAULT: String(limit), JACKFIELD_RATE_LIMITS_HEAVY: '2' },
        JACKFIELD_HTTP_TRUSTED_PROXIES: '127.0.0.0/8',
        ...{ JACKFIELD_RATE_LIMITS_PER_WORKSPACE: '3', JACKFIELD_RATE_LIMITS_PER_ADDRESS: '15' },
      },
    })
  })
  beforeEach(async () => {
    await windowWithRoom()
    workspace = await appliance.workspace()
  })
  after(async () => appliance?.stop())

  it('count down in headers and end in a 429 that says when to come back', async () => {
    for (let left = limit - 1; left >= 0; left--) {
      const { status, headers } = await workspace.api.get('/calls')
      expect(status).to.equal(200)
      expect(headers['x-ratelimit-limit']).to.equal(String(limit))
      expect(headers['x-ratelimit-remaining']).to.equal(String(left))
    }
    const refused = await workspace.api.get('/calls')
    expect(refused.status).to.equal(429)
    expect(refused.body).to.have.all.keys('statusCode', 'message', 'retryAfter')
    expect(refused.body.retryAfter).to.be.within(1, 60)
    expect(refused.headers['retry-after']).to.equal(String(refused.body.retryAfter))
    expect(refused.headers).to.include({ 'x-ratelimit-limit': String(limit), 'x-ratelimit-remaining': '0' })
  })

  it('count each key for itself, and the operator not at all', async () => {
    const other = await keyWith(workspace, { scope: 'any', role: 'viewer' })
    for (let count = 0; count <= limit; count++) await workspace.api.get('/calls')
    expect((await workspace.api.get('/calls')).status).to.equal(429)
    expect((await other.get('/calls')).headers['x-ratelimit-remaining']).to.equal(String(limit - 1))
    for (let count = 0; count <= limit; count++) {
      expect((await appliance.operator.get('/workspaces')).status).to.equal(200)
    }
  })

  it('count heavy requests apart', async () => {
    const statuses = []
    for (let count = 0; count < 3; count++) statuses.push((await workspace.api.post('/audios', audio)).status)
    expect(statuses).to.deep.equal([201, 201, 429])
    expect((await workspace.api.get('/audios')).status).to.equal(200)
  })

  it('count messages that are sent apart, 30 a minute for each key, refused ones too', async () => {
    const { number } = await newTextingNumber(appliance, workspace)
    const other = await keyWith(workspace, { scope: 'full', role: 'editor' })
    const refused = await sendText(workspace.api, number, { body: '' })
    expect(refused).to.include({ status: 400 })
    expect(refused.headers).to.include({ 'x-ratelimit-limit': '30', 'x-ratelimit-remaining': '29' })
    const answers = await Promise.all(Array.from({ length: 30 }, async () => sendText(workspace.api, number)))
    expect(answers.map(({ status }) => status).sort()).to.deep.equal([...Array(29).fill(201), 429])
    expect((await sendText(other, number)).status).to.equal(201)
    expect((await workspace.api.get('/messages')).status).to.equal(200)
  })

  it('count what agents send by account, wherever they are', async () => {
    const { number } = await newTextingNumber(appliance, workspace)
    const message = { from: number, client_number: client, body: 'Hello' }
    const left = async (api: ApiClient, address: string) => {
      const path = '/call-center/conversations'
      const { headers } = await api.post(path, message, { 'x-forwarded-for': address })
      return Number(headers['x-ratelimit-remaining'])
    }
    const [one, other] = [await person(), await person()]
    expect(await left(one, '198.51.100.1')).to.equal(29)
    expect(await left(one, '198.51.100.2')).to.equal(28)
    expect(await left(other, '198.51.100.2')).to.equal(29)
  })

  it('count agents at an address each for themselves, clients too, and not their streams', async () => {
    const [one, other] = [await person(), await person()]
    for (let left = limit - 1; left >= 0; left--)
      expect((await one.get('/me')).headers['x-ratelimit-remaining']).to.equal(String(left))
    expect((await one.get('/me')).status).to.equal(429)
    expect((await other.get('/me')).headers['x-ratelimit-remaining']).to.equal(String(limit - 1))
    const elsewhere = await one.request('GET', '/me', { headers: { 'x-forwarded-for': '198.51.100.77' } })
    expect(elsewhere.status, 'at another address').to.equal(200)
    // A stream needs none of it: 400, as nothing is said of which call, and no 429.
    const stream = await one.get('/stream?call_id=call_unknown')
    expect(stream.status).to.equal(404)
    expect(stream.headers).not.to.have.property('x-ratelimit-limit')
    const app = (sub: string) =>
      workspace.api.with({ authorization: `Bearer ${clientToken(workspace, { sub })}` })
    const left = async (sub: string) =>
      Number(
        (await app(sub).post('/call-center/calls/call_unknown/reject', {})).headers['x-ratelimit-remaining'],
      )
    expect(await left('user-1')).to.equal(limit - 1)
    expect(await left('user-1')).to.equal(limit - 2)
    expect(await left('user-2')).to.equal(limit - 1)
  })

  it('hold for all keys of a workspace, and for all people at an address, too', async () => {
    const keys = await Promise.all(
      Array.from({ length: 4 }, async () => keyWith(workspace, { scope: 'any', role: 'viewer' })),
    )
    const statuses = (
      await Promise.all(keys.flatMap((key) => Array.from({ length: limit }, async () => key.get('/calls'))))
    ).map(({ status }) => status)
    // Three times the limit of a key, less the requests that made the keys.
    expect(statuses.filter((status) => status === 200)).to.have.length(3 * limit - 4)
    expect(statuses.filter((status) => status === 429)).to.have.length(limit + 4)
    const people = await Promise.all(Array.from({ length: 17 }, async () => person('198.51.100.30')))
    const seen = (
      await Promise.all(
        people.flatMap((api) =>
          Array.from({ length: limit - 1 }, async () =>
            api.request('GET', '/me', { headers: { 'x-forwarded-for': '198.51.100.30' } }),
          ),
        ),
      )
    ).map(({ status }) => status)
    expect(seen.filter((status) => status === 200)).to.have.length(15 * limit)
    expect(seen.filter((status) => status === 429)).to.have.length(2 * limit - 17)
  })

  it('are told with refusals, too: of credentials, of rights and of paths that there are not', async () => {
    const refused = workspace.api.with({ authorization: `ApiKey ${workspace.sid}.wrong` })
    const viewer = await keyWith(workspace, { scope: 'any', role: 'viewer' })
    for (const [status, answer] of [
      [401, await refused.get('/calls')],
      [403, await viewer.post('/teams', {})],
      [404, await workspace.api.get('/no-such-endpoint')],
      [400, await workspace.api.post('/teams', {})],
    ] as const) {
      expect(answer.status).to.equal(status)
      expect(Number(answer.headers['x-ratelimit-limit']), String(status)).to.be.above(0)
      expect(Number(answer.headers['x-ratelimit-remaining']), String(status)).to.be.least(0)
    }
  })

  it('let a shift of thirty agents sign in within a minute from one address, where somebody guesses', async () => {
    const shift = { 'x-forwarded-for': '198.51.100.40' }
    const visitor = workspace.api.with({ authorization: undefined })
    const logIn = async (username: string, password: string, device_id: string) =>
      (await visitor.post('/auth/login', { username, password, device_id }, shift)).status
    const agents = await Promise.all(
      Array.from({ length: 30 }, async () => {
        const input = agentInput()
        await succeed(operatorOf().post('/agents', input))
        return input
      }),
    )
    const guesses = await Promise.all(
      Array.from({ length: 25 }, async (_, index) =>
        logIn(agents[0]!.username, 'wrong one', `device-${index}`),
      ),
    )
    expect(guesses.sort()).to.deep.equal([...Array<number>(10).fill(401), ...Array<number>(15).fill(429)])
    const signedIn = await Promise.all(
      agents
        .slice(1)
        .map(async ({ username, password }, index) => logIn(username, password, `desk-${index}`)),
    )
    expect(new Set(signedIn)).to.deep.equal(new Set([200]))
    // Whoever tries one password with many names is stopped by the address; who is known there goes on.
    const sprayed = await Promise.all(
      Array.from({ length: 80 }, async (_, index) => logIn(`nobody${index}`, 'Summer2026', 'spray')),
    )
    expect(sprayed.filter((status) => status === 401)).to.have.length.within(40, 44)
    expect(await logIn(agents[0]!.username, agents[0]!.password, 'new-desk')).to.equal(429)
    expect(await logIn(agents[3]!.username, agents[3]!.password, 'desk-2')).to.equal(200)
  })

  it('do not let strangers lock an agent out, neither of a known device nor from another address', async () => {
    const visitor = workspace.api.with({ authorization: undefined })
    const input = agentInput()
    await succeed(operatorOf().post('/agents', input))
    const logIn = async (password: string, device_id: string, address: string) =>
      (
        await visitor.post(
          '/auth/login',
          { username: input.username, password, device_id },
          { 'x-forwarded-for': address },
        )
      ).status
    expect(await logIn(input.password, 'own-phone', '198.51.100.50')).to.equal(200)
    for (let guess = 0; guess < 30; guess++) await logIn('wrong one', `device-${guess}`, '198.51.100.51')
    expect(await logIn(input.password, 'another', '198.51.100.51'), 'from the guesser’s address').to.equal(
      429,
    )
    expect(await logIn(input.password, 'own-phone', '198.51.100.51'), 'the known device there').to.equal(200)
    expect(await logIn(input.password, 'new-phone', '198.51.100.52'), 'a new device elsewhere').to.equal(200)
  })

  it('hold off who guesses credentials, by address, and nobody else', async () => {
    const guess = workspace.api.with({ authorization: `ApiKey ${workspace.sid}.guess` })
    const statuses = new Set<number>()
    for (let count = 0; count <= limit; count++) statuses.add((await guess.get('/calls')).status)
    expect([...statuses]).to.deep.equal([401, 429])
    expect((await workspace.api.get('/calls')).status).to.equal(200)
  })

  it('count log-ins, verifications and refreshes by what they name, and all else apart', async () => {
    const visitor = workspace.api.with({ authorization: undefined })
    for (const path of ['login', 'verify', 'refresh']) {
      const statuses = new Set<number>()
      for (let count = 0; count < 10; count++) statuses.add((await visitor.post(`/auth/${path}`, {})).status)
      expect(
        [...statuses].every((status) => [400, 401].includes(status)),
        path,
      ).to.equal(true)
      expect((await visitor.post(`/auth/${path}`, {})).status, path).to.equal(429)
    }
    // The tier of what is costly, which is 2 here, and each for itself.
    for (const path of ['check-username', 'forgot-password', 'reset-password']) {
      const answers = []
      for (let count = 0; count < 3; count++) answers.push((await visitor.post(`/auth/${path}`, {})).status)
      expect(answers, path).to.deep.equal([400, 400, 429])
    }
    expect((await workspace.api.get('/calls')).status).to.equal(200)
  })

  it('tell the clients of a proxy apart', async () => {
    const visitor = workspace.api.with({ authorization: undefined })
    const from = async (address: string) =>
      (await visitor.post('/auth/verify', {}, { 'x-forwarded-for': address })).status
    for (let count = 0; count < 10; count++) expect(await from('198.51.100.1')).to.equal(401)
    expect(await from('198.51.100.1')).to.equal(429)
    expect(await from('192.0.2.9, 198.51.100.1'), 'whatever it makes up').to.equal(429)
    expect(await from('198.51.100.2')).to.equal(401)
  })

  it('leave health and the document alone', async () => {
    for (let count = 0; count <= limit; count++) {
      expect((await workspace.api.get('/health/live')).status).to.equal(200)
      expect((await workspace.api.get('/openapi.json')).status).to.equal(200)
    }
  })

  /** The operator on the workspace's host, whom nothing limits. */
  const operatorOf = () => appliance.operator.with({ host: workspace.api.host })

  /** A new agent who has logged in. */
  async function person(address = '198.51.100.7'): Promise<ApiClient> {
    const input = agentInput()
    await succeed(operatorOf().post('/agents', input))
    const visitor = workspace.api.with({ authorization: undefined })
    const credentials = { username: input.username, password: input.password, device_id: 'laptop' }
    const { tokens } = await succeed(visitor.post('/auth/login', credentials, { 'x-forwarded-for': address }))
    return visitor.with({ authorization: `Bearer ${tokens.access_token}` })
  }

  /** Waits for the next window when too little of this one is left for a test. */
  async function windowWithRoom(): Promise<void> {
    const left = 60_000 - (Date.now() % 60_000)
    if (left < 12_000) await sleep(left + 50)
  }
})
