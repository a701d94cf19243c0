/** What may not get in: forged, altered, misplaced, stolen and outlived tokens of agents; and guessed passwords. */
import { expect } from 'chai'
import { generateKeyPairSync, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import WebSocket from 'ws'
import { type ApiClient, type Answer, eventually } from '../support/api-client.js'
import type { Appliance, TestWorkspace } from '../support/appliance.js'
import { query } from './database.js'
import { type Person, agentInput, clientToken, newPerson, startUnlimited, succeed } from './fixtures.js'
import { type Audience, forged, resetToken } from './token-forge.js'

/** A place where a token of one audience is taken. */
interface Door {
  audience: Audience
  /** The claims of a token that opens it. */
  claims: (person: Person) => Promise<Record<string, unknown>>
  knock: (token: string, person: Person, host?: TestWorkspace) => Promise<Pick<Answer, 'status' | 'body'>>
  /** What whoever has a good one is told, and whoever has none. */
  admitted: number
  refused: number
}

const now = () => Math.floor(Date.now() / 1000)

const encoded = (value: unknown) =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url')

const claimsIn = (token: string) =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as Record<string, unknown>

/** A call that nobody has: who is admitted is told so. */
const unknownCall = 'call_unknown'

/** Connects to a call's socket, and returns what it is closed with: the code, and that of the error. */
async function closeOf(
  { api }: TestWorkspace,
  callId: string,
  token: string,
): Promise<{ status: number; body: { code?: string } }> {
  const socket = new WebSocket(`ws://127.0.0.1:${api.port}/api/v1/calls/${callId}/session`, {
    headers: { host: api.host },
  })
  const body: { code?: string } = {}
  socket.on('message', (text) => {
    const { event, data } = JSON.parse((text as Buffer).toString()) as {
      event: string
      data: { code: string }
    }
    if (event === 'error') body.code = data.code
  })
  socket.on('open', () => socket.send(JSON.stringify({ event: 'session.connect', data: { token } })))
  const [status] = (await once(socket, 'close')) as [number]
  return { status, body }
}

const tokenOf = ({ api }: Person) => api.authorization!.slice('Bearer '.length)

describe('attacks with tokens', function () {
  this.timeout(60_000)
  let appliance: Appliance
  let workspace: TestWorkspace
  let foreign: TestWorkspace
  let visitor: ApiClient
  before(async () => {
    appliance = await startUnlimited()
    workspace = await appliance.workspace()
    foreign = await appliance.workspace()
    visitor = workspace.api.with({ authorization: undefined })
  })
  after(async () => appliance?.stop())

  const visitorOf = ({ api }: TestWorkspace) => api.with({ authorization: undefined })
  const bearer = (token: string, { api } = workspace) => api.with({ authorization: `Bearer ${token}` })
  const sessionClaims = async ({ id, device_id }: Person) => {
    const [session] = await query(
      appliance,
      'SELECT id, refresh_id FROM agent_sessions WHERE agent_id = ? AND device_id = ?',
      [id, device_id],
    )
    return { sub: id, session_id: session.id as string, refresh_id: session.refresh_id as string }
  }
  const refresh = async (refresh_token: string, { device_id }: Pick<Person, 'device_id'>, host = workspace) =>
    visitorOf(host).post('/auth/refresh', { refresh_token, device_id })
  const refreshBy = async (key: string, refresh_token: string, { device_id }: Pick<Person, 'device_id'>) =>
    visitor.post('/auth/refresh', { refresh_token, device_id }, { 'idempotency-key': key })
  const logIn = async ({ username, password }: Pick<Person, 'username' | 'password'>, device_id = 'phone') =>
    visitor.post('/auth/login', { username, password, device_id })

  const callClaims = async (person: Person) => ({
    ...{ sub: person.id, kind: 'agent', call_id: unknownCall, fs_uuid: randomUUID() },
    credential: (await sessionClaims(person)).session_id,
  })

  const doors: Record<string, Door> = {
    'the API': {
      audience: 'agent-api',
      claims: sessionClaims,
      knock: async (token, _, host) => bearer(token, host).get('/me'),
      admitted: 200,
      refused: 401,
    },
    verification: {
      audience: 'agent-api',
      claims: sessionClaims,
      knock: async (token, _, host = workspace) => visitorOf(host).post('/auth/verify', { token }),
      admitted: 200,
      refused: 401,
    },
    refreshing: {
      audience: 'agent-refresh',
      claims: sessionClaims,
      knock: refresh,
      admitted: 200,
      refused: 401,
    },
    'the reset of a password': {
      audience: 'password-reset',
      claims: async ({ id }) => claimsIn(await resetToken(workspace, id)),
      knock: async (token, _, host = workspace) =>
        visitorOf(host).post('/auth/reset-password', { token, new_password: 'battery staple' }),
      admitted: 200,
      refused: 400,
    },
    // The status is the code that the socket is closed with.
    'the socket of a call': {
      audience: 'call-session',
      claims: callClaims,
      knock: async (token, _, host = workspace) => closeOf(host, unknownCall, token),
      admitted: 4004,
      refused: 4003,
    },
  }

  for (const [place, { audience, claims, knock, admitted, refused }] of Object.entries(doors)) {
    describe(`at ${place}`, () => {
      let person: Person
      let right: Record<string, unknown>
      beforeEach(async () => {
        person = await newPerson(workspace)
        right = await claims(person)
      })
      // What is forged here opens the door when it is forged well: what is refused is refused for its fault.
      afterEach(async () => {
        expect((await knock(forged(workspace, audience, right), person)).status, 'a good one').to.equal(
          admitted,
        )
      })

      const refusedAll = async (tokens: Record<string, string>) => {
        for (const [fault, token] of Object.entries(tokens)) {
          const answer = await knock(token, person)
          expect(answer.status, `${fault}: ${JSON.stringify(answer.body)}`).to.equal(refused)
        }
      }

      it('refuse other algorithms and keys', async () => {
        const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 })
        const pem = publicKey.export({ type: 'spki', format: 'pem' })
        const body = forged(workspace, audience, right).split('.')[1]!
        const none = (alg: string) => `${encoded({ alg, typ: 'JWT' })}.${body}.`
        await refusedAll({
          ...Object.fromEntries(
            ['none', 'None', 'NONE', 'nOnE', ''].map((alg) => [`alg "${alg}"`, none(alg)]),
          ),
          'none, with a signature': `${none('none')}${forged(workspace, audience, right).split('.')[2]}`,
          HS384: forged(workspace, audience, right, { algorithm: 'HS384' }),
          HS512: forged(workspace, audience, right, { algorithm: 'HS512' }),
          RS256: forged(workspace, audience, right, { algorithm: 'RS256', key: privateKey }),
          'RS256, its public key as a secret': forged(workspace, audience, right, { key: pem.toString() }),
          'the secret key itself': forged(workspace, audience, right, { key: appliance.secretKey }),
          'an empty key': forged(workspace, audience, right, { key: Buffer.alloc(32) }),
          'a key of its own': forged(workspace, audience, right, {
            key: Buffer.alloc(32, 1),
            header: { jwk: { kty: 'oct', k: Buffer.alloc(32, 1).toString('base64url') } },
          }),
          'half a signature': forged(workspace, audience, right).slice(0, -20),
        })
      })

      it('refuse tokens of other audiences, whatever they say they are', async () => {
        const audiences: Audience[] = ['agent-api', 'agent-refresh', 'password-reset', 'call-session']
        for (const other of audiences.filter((one) => one !== audience)) {
          await refusedAll({
            [other]: forged(workspace, other, right),
            [`${other} that says ${audience}`]: forged(workspace, other, { ...right, aud: audience }),
            [`${audience} that says ${other}`]: forged(workspace, audience, { ...right, aud: other }),
          })
        }
        await refusedAll({
          'of no audience': forged(workspace, audience, { ...right, aud: undefined }),
          'a client’s': clientToken(workspace, { sub: person.id }),
          'a client’s that says it is ours': clientToken(workspace, { ...right, aud: audience }),
          'a client’s that says all of it': clientToken(workspace, {
            ...{ ...right, aud: audience, iss: 'jackfield', workspace_id: workspace.id },
          }),
        })
      })

      it('refuse tokens out of their time, of another issuer, and of another workspace', async () => {
        await refusedAll({
          'expired a second ago': forged(workspace, audience, { ...right, exp: now() - 1 }),
          'expired long ago': forged(workspace, audience, { ...right, iat: 0, exp: 1 }),
          'not yet valid': forged(workspace, audience, { ...right, nbf: now() + 300 }),
          'without an end': forged(workspace, audience, { ...right, exp: undefined }),
          'with an end that is no number': forged(workspace, audience, { ...right, exp: 'never' }),
          'of another issuer': forged(workspace, audience, { ...right, iss: 'somebody' }),
          'of no issuer': forged(workspace, audience, { ...right, iss: undefined }),
          'of another workspace': forged(workspace, audience, { ...right, workspace_id: foreign.id }),
          'of no workspace': forged(workspace, audience, { ...right, workspace_id: undefined }),
          'of somebody else’s session': forged(workspace, audience, {
            ...{
              ...right,
              session_id: 'ses_unknown',
              credential: 'ses_unknown',
              stamp: 'x',
              sub: 'ag_unknown',
            },
          }),
        })
        const elsewhere = await knock(forged(workspace, audience, right), person, foreign)
        expect(elsewhere.status, 'on the host of another workspace').to.equal(refused)
        // Of a call nothing else says whose workspace it is.
        if (audience === 'call-session') return
        const renamed = forged(workspace, audience, { ...right, workspace_id: foreign.id })
        expect((await knock(renamed, person, foreign)).status, 'and renamed for it').to.equal(refused)
      })

      it('refuse what was altered, and what is no token at all', async () => {
        const [head, body, signature] = forged(workspace, audience, right).split('.') as [
          string,
          string,
          string,
        ]
        const altered = { ...claimsIn(`.${body}`), exp: now() + 1e6, role: 'supervisor' }
        const header = { alg: 'HS256', typ: 'JWT' }
        await refusedAll({
          'other claims': `${head}.${encoded(altered)}.${signature}`,
          'another header': `${encoded({ ...header, kid: '../../dev/null' })}.${body}.${signature}`,
          'no signature': `${head}.${body}.`,
          'claims that are no JSON': `${encoded(header)}.${encoded('no JSON')}.${signature}`,
          'claims that are null': `${encoded(header)}.${encoded('null')}.${signature}`,
          'claims that are a list': `${encoded(header)}.${encoded([{ aud: audience }])}.${signature}`,
          'claims that are deep': `${encoded(header)}.${encoded('['.repeat(2_000))}.${signature}`,
          'a header that is no JSON': `${encoded('x')}.${body}.${signature}`,
          'a prototype': `${head}.${encoded('{"__proto__":{"aud":"agent-api"}}')}.${signature}`,
          'too many parts': `${head}.${body}.${signature}.${signature}`,
          dots: '...',
          'of 4,000 characters': forged(workspace, audience, {
            ...right,
            exp: 1,
            padding: 'x'.repeat(2_700),
          }),
        })
        const huge = await knock('x'.repeat(10_000), person)
        expect(huge.status, 'huge').to.be.oneOf([400, 4001, refused])
      })
    })
  }

  it('are told on the socket of a call that their token is too old', async () => {
    const old = forged(workspace, 'call-session', {
      ...(await callClaims(await newPerson(workspace))),
      exp: now(),
    })
    expect((await closeOf(workspace, unknownCall, old)).body).to.deep.equal({ code: 'token_expired' })
  })

  describe('of sessions', () => {
    const tokensOf = async (answer: Promise<Answer>) => {
      const { access_token, refresh_token } = await succeed(answer)
      return { access: access_token as string, refresh: refresh_token as string }
    }
    const isDead = async (
      person: Person,
      { access, refresh: token }: { access: string; refresh: string },
    ) => {
      const { session_id } = claimsIn(access)
      const ofCall = forged(workspace, 'call-session', {
        ...{
          sub: person.id,
          kind: 'agent',
          call_id: unknownCall,
          fs_uuid: randomUUID(),
          credential: session_id,
        },
      })
      expect((await bearer(ofCall).post(`/call-center/calls/${unknownCall}/reject`)).status).to.equal(401)
      expect(await closeOf(workspace, unknownCall, ofCall), 'a call of it').to.deep.equal({
        status: 4003,
        body: { code: 'token_revoked' },
      })
      expect((await bearer(access).get('/me')).status, 'access').to.equal(401)
      expect((await refresh(token, person)).status, 'refresh').to.equal(401)
    }

    it('end with the reuse of a refresh token, from whatever device', async () => {
      for (const device_id of [undefined, 'a thief’s'.replace(/\W/g, '-')]) {
        const person = await newPerson(workspace)
        const second = await tokensOf(refresh(person.refresh_token, person))
        const third = await tokensOf(refresh(second.refresh, person))
        expect((await bearer(third.access).get('/me')).status).to.equal(200)
        const thief = { device_id: device_id ?? person.device_id }
        expect((await refresh(person.refresh_token, thief)).status).to.equal(401)
        await isDead(person, second)
        await isDead(person, third)
      }
    })

    it('end when one refresh token comes many times at once', async () => {
      const person = await newPerson(workspace)
      const answers = await Promise.all(
        Array.from({ length: 6 }, async () => refresh(person.refresh_token, person)),
      )
      const won = answers.filter(({ status }) => status === 200)
      expect(won).to.have.length(1)
      expect(answers.filter(({ status }) => status === 401)).to.have.length(5)
      const { access_token, refresh_token } = won[0]!.body
      await isDead(person, { access: access_token, refresh: refresh_token })
    })

    it('let whoever refreshed them repeat it by its key, and nobody else', async () => {
      const person = await newPerson(workspace)
      const answers = await Promise.all(
        Array.from({ length: 3 }, async () => tokensOf(refreshBy('first', person.refresh_token, person))),
      )
      for (const { access, refresh: token } of answers) {
        expect((await bearer(access).get('/me')).status).to.equal(200)
        expect(claimsIn(token).refresh_id).to.equal(claimsIn(answers[0]!.refresh).refresh_id)
      }
      expect((await refreshBy('first', person.refresh_token, { device_id: 'another' })).status).to.equal(401)
      const next = await tokensOf(refreshBy('second', answers[1]!.refresh, person))
      expect((await bearer(next.access).get('/me')).status).to.equal(200)

      for (const steal of [
        async ({ refresh_token }: Person, key: string) => refreshBy(`not ${key}`, refresh_token, person),
        async ({ refresh_token, ...owner }: Person) => refresh(refresh_token, owner),
        async ({ refresh_token, device_id, id }: Person, key: string) => {
          const past = 'UPDATE agent_sessions SET refreshed_at = refreshed_at - INTERVAL 61 SECOND'
          await query(appliance, `${past} WHERE agent_id = ?`, [id])
          return refreshBy(key, refresh_token, { device_id })
        },
        async ({ refresh_token, ...owner }: Person, key: string, current: string) => {
          await tokensOf(refreshBy('next', current, owner))
          return refreshBy(key, refresh_token, owner)
        },
      ]) {
        const robbed = await newPerson(workspace)
        const tokens = await tokensOf(refreshBy('mine', robbed.refresh_token, robbed))
        expect((await steal(robbed, 'mine', tokens.refresh)).status).to.equal(401)
        await isDead(robbed, tokens)
      }
    })

    it('are not refreshed from another device, and not ended by that either', async () => {
      const person = await newPerson(workspace)
      for (const device_id of ['another', person.device_id.toUpperCase()]) {
        expect((await refresh(person.refresh_token, { device_id })).status).to.equal(401)
      }
      expect((await person.api.get('/me')).status).to.equal(200)
      expect((await refresh(person.refresh_token, person)).status).to.equal(200)
    })

    it('end for good when the agent is made inactive or deleted', async () => {
      const person = await newPerson(workspace)
      const tokens = { access: tokenOf(person), refresh: person.refresh_token }
      await succeed(workspace.api.patch(`/agents/${person.id}`, { is_active: false }))
      await isDead(person, tokens)
      await succeed(workspace.api.patch(`/agents/${person.id}`, { is_active: true }))
      await isDead(person, tokens)
      const gone = await newPerson(workspace)
      await succeed(workspace.api.delete(`/agents/${gone.id}`))
      await isDead(gone, { access: tokenOf(gone), refresh: gone.refresh_token })
    })

    it('end when an administrator changes the password, and go on under another name', async () => {
      const person = await newPerson(workspace)
      await succeed(workspace.api.patch(`/agents/${person.id}`, { username: `${person.username}2` }))
      expect((await person.api.get('/me')).body.username).to.equal(`${person.username}2`)
      await succeed(workspace.api.patch(`/agents/${person.id}/password`, { password: 'battery staple' }))
      await isDead(person, { access: tokenOf(person), refresh: person.refresh_token })
    })

    it('end with the agent’s own change of the password, but for the one that changes it', async () => {
      const person = await newPerson(workspace)
      const other = await tokensOf(tabletOf(person))
      const change = { current_password: person.password, new_password: 'battery staple' }
      await succeed(person.api.patch('/me/password', change))
      await isDead({ ...person, device_id: 'tablet' }, other)
      expect((await person.api.get('/me')).status).to.equal(200)
      expect((await refresh(person.refresh_token, person)).status).to.equal(200)
    })

    const tabletOf = async (person: Person) => {
      const answer = await logIn(person, 'tablet')
      return { ...answer, body: answer.body.tokens }
    }

    it('end with a log-out, on this device or on another, whose push tokens go too', async () => {
      const person = await newPerson(workspace)
      const tablet = await tokensOf(tabletOf(person))
      for (const device_id of [person.device_id, 'tablet']) {
        const push_token = `push-token-${device_id}`
        const registration = { push_token, device_id, platform: 'android' }
        await succeed(person.api.post('/me/devices/voip-push-token', registration))
      }
      const devices = async (api: ApiClient) =>
        (await succeed(api.get('/me/devices'))).data.map(({ device_id }: { device_id: string }) => device_id)
      expect(await succeed(person.api.post('/me/logout', { device_id: 'unknown' }))).to.have.keys('message')
      expect(await devices(person.api)).to.have.members([person.device_id, 'tablet'])
      await succeed(person.api.post('/me/logout', { device_id: 'tablet' }))
      expect(await devices(person.api)).to.deep.equal([person.device_id])
      await isDead({ ...person, device_id: 'tablet' }, tablet)
      await succeed(person.api.post('/me/logout', { device_id: person.device_id }))
      await isDead(person, { access: tokenOf(person), refresh: person.refresh_token })
      const again = await tokensOf(tabletOf(person))
      expect(await devices(bearer(again.access))).to.deep.equal([])
    })

    it('are seen by their agent, and ended one by one', async () => {
      const person = await newPerson(workspace)
      const stranger = await newPerson(workspace)
      const tablet = await tokensOf(tabletOf(person))
      const { data, meta } = await succeed(person.api.get('/me/sessions'))
      expect(meta).to.deep.equal({ total: 2, page: 1, limit: 20, total_pages: 1 })
      const seen = data.map((one: Record<string, unknown>) => [one['device_id'], one['is_current']])
      expect(seen).to.deep.equal([
        ['tablet', false],
        [person.device_id, true],
      ])
      const [{ id }] = data
      expect((await stranger.api.delete(`/me/sessions/${id}`)).status).to.equal(404)
      expect(await succeed(person.api.delete(`/me/sessions/${id}`))).to.deep.equal(data[0])
      await isDead({ ...person, device_id: 'tablet' }, tablet)
      expect((await person.api.delete(`/me/sessions/${id}`)).status).to.equal(404)
    })

    it('are one for each device, and twenty at most', async () => {
      const person = await newPerson(workspace)
      await Promise.all(Array.from({ length: 5 }, async () => tabletOf(person)))
      const count = async () => (await succeed(person.api.get('/me/sessions'))).meta.total as number
      expect(await count()).to.equal(2)
      for (let device = 1; device <= 18; device++)
        await succeed(logIn(person, `device ${device}`.replace(' ', '-')))
      expect(await count()).to.equal(20)
      await succeed(logIn(person, 'one-more'))
      expect((await person.api.get('/me')).status, 'the one not used for longest').to.equal(401)
    })

    it('that one server ends are refused by the others in a moment', async () => {
      const person = await newPerson(workspace)
      const there = person.api.with({ port: await appliance.startAnotherServer() })
      expect((await there.get('/me')).status).to.equal(200)
      await succeed(person.api.post('/me/logout', { device_id: person.device_id }))
      await eventually(
        async () => there.get('/me'),
        ({ status }) => status === 401,
        { what: 'refusal' },
      )
    })
  })

  describe('that are guessed', () => {
    const wrong = 'not the password'

    /** Time that the server has computed, in ticks. */
    const ticks = async () => {
      const stat = await readFile(`/proc/${appliance.serverPid}/stat`, 'utf8')
      const [user, system] = stat.slice(stat.lastIndexOf(')')).split(' ').slice(12, 14)
      return Number(user) + Number(system)
    }

    it('tell nothing of who there is', async () => {
      const inactive = agentInput()
      await succeed(workspace.api.post('/agents', { ...inactive, is_active: false }))
      const person = await newPerson(workspace)
      const answers = await Promise.all([
        logIn({ username: 'nobody', password: wrong }),
        logIn({ username: person.username, password: wrong }),
        logIn(inactive),
      ])
      for (const { status, body } of answers) {
        expect({ status, body }).to.deep.equal({ status: 401, body: answers[0].body })
      }
    })

    it('take as much work to refuse whether or not there is such an agent', async () => {
      const person = await newPerson(workspace)
      const workOf = async (usernames: string[]) => {
        const before = await ticks()
        for (const username of usernames) await logIn({ username, password: wrong })
        return (await ticks()) - before
      }
      const known = await workOf(Array<string>(18).fill(person.username))
      const unknown = await workOf(Array.from({ length: 18 }, (_, index) => `nobody${index}`))
      // Without the work of a hash it would be a tenth.
      expect(unknown).to.be.within(known / 2, known * 2)
    })

    it('are held off after twenty for a name, known or not, until a reset', async () => {
      const person = await newPerson(workspace)
      const statuses = async (username: string, count: number) => {
        const answers = await Promise.all(
          Array.from({ length: count }, async () => logIn({ username, password: wrong })),
        )
        return answers.map(({ status }) => status).sort()
      }
      for (const username of [person.username, 'no-such-agent']) {
        const expected = [...Array<number>(20).fill(401), ...Array<number>(4).fill(429)]
        expect(await statuses(username, 24), username).to.deep.equal(expected)
      }
      const held = await logIn(person)
      expect(held.status, 'the right password too').to.equal(429)
      expect(held.body.retryAfter).to.be.within(1, 900)
      expect(held.headers['retry-after']).to.equal(String(held.body.retryAfter))
      expect((await refresh(person.refresh_token, person)).status, 'who is logged in goes on').to.equal(200)
      const other = await newPerson(workspace)
      expect((await logIn(other)).status, 'nobody else').to.equal(200)

      const reset = { token: await resetToken(workspace, person.id), new_password: 'battery staple' }
      await succeed(visitor.post('/auth/reset-password', reset))
      await succeed(logIn({ username: person.username, password: 'battery staple' }))
    })

    it('are held off where an agent who is logged in changes the password, too', async () => {
      const person = await newPerson(workspace)
      const change = { current_password: wrong, new_password: 'battery staple' }
      const statuses = new Set<number>()
      for (let count = 0; count < 20; count++) {
        statuses.add((await person.api.patch('/me/password', change)).status)
      }
      expect([...statuses]).to.deep.equal([400])
      expect((await person.api.patch('/me/password', change)).status).to.equal(429)
      expect((await logIn(person)).status).to.equal(429)
    })

    it('are counted anew after the right one', async () => {
      const person = await newPerson(workspace)
      for (let round = 0; round < 2; round++) {
        for (let count = 0; count < 15; count++) {
          expect((await logIn({ username: person.username, password: wrong })).status).to.equal(401)
        }
        await succeed(logIn(person))
      }
    })
  })
})
