import { expect } from 'chai'
import { setTimeout as sleep } from 'node:timers/promises'
import { Appliance, type TestWorkspace } from '../support/appliance.js'
import type { ApiClient } from '../support/api-client.js'
import { agentInput, audio, keyWith, succeed } from './fixtures.js'
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
      },
    })
  })
  beforeEach(async () => {
    await windowWithRoom()
    workspace = await appliance.workspace()
  })
  after(async () => appliance.stop())

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
    const visitor = workspace.api.with({ authorization: undefined })
    const person = async () => {
      const input = agentInput()
      await succeed(workspace.api.post('/agents', input))
      const credentials = { username: input.username, password: input.password, device_id: 'laptop' }
      const from = { 'x-forwarded-for': '198.51.100.7' }
      const { tokens } = await succeed(visitor.post('/auth/login', credentials, from))
      return visitor.with({ authorization: `Bearer ${tokens.access_token}` })
    }
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

  it('hold off who guesses credentials, by address, and nobody else', async () => {
    const guess = workspace.api.with({ authorization: `ApiKey ${workspace.sid}.guess` })
    const statuses = new Set<number>()
    for (let count = 0; count <= limit; count++) statuses.add((await guess.get('/calls')).status)
    expect([...statuses]).to.deep.equal([401, 429])
    expect((await workspace.api.get('/calls')).status).to.equal(200)
  })

  it('count log-ins and all that goes with them together, by address, and hold off nothing else', async () => {
    const visitor = workspace.api.with({ authorization: undefined })
    const paths = ['login', 'verify', 'refresh', 'check-username', 'forgot-password', 'reset-password']
    const statuses = new Set<number>()
    for (let count = 0; count < 10; count++) {
      statuses.add((await visitor.post(`/auth/${paths[count % paths.length]}`, {})).status)
    }
    expect([...statuses]).to.have.members([400, 401])
    for (const path of paths) expect((await visitor.post(`/auth/${path}`, {})).status, path).to.equal(429)
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

  /** Waits for the next window when too little of this one is left for a test. */
  async function windowWithRoom(): Promise<void> {
    const left = 60_000 - (Date.now() % 60_000)
    if (left < 5_000) await sleep(left + 50)
  }
})
