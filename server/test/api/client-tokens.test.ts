/** Tokens that are forged, swapped, stale or stolen, at the doors that customers' apps use: each is refused. */
import { createHmac, createSign, generateKeyPairSync } from 'node:crypto'
import { expect } from 'chai'
import jwt from 'jsonwebtoken'
import { CallTokens } from '../../src/infrastructure/tokens/call-tokens.js'
import { Tokens } from '../../src/infrastructure/tokens/tokens.js'
import { Keyring } from '../../src/infrastructure/database/keyring.js'
import type { Answer, ApiClient } from '../support/api-client.js'
import { type Appliance, type TestWorkspace } from '../support/appliance.js'
import { callFlow, clientToken, keyWith, newPerson, startUnlimited, succeed } from './fixtures.js'

const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

describe('tokens of customers’ apps', function () {
  this.timeout(60_000)
  let appliance: Appliance
  let own: TestWorkspace
  let foreign: TestWorkspace
  let flow: string

  before(async () => {
    appliance = await startUnlimited()
    own = await appliance.workspace({ credit: 10 })
    foreign = await appliance.workspace({ credit: 10 })
    flow = await outboundFlow(own)
  })
  after(async () => appliance?.stop())

  async function outboundFlow({ api }: TestWorkspace): Promise<string> {
    return (await succeed(api.post('/call-flows', { ...callFlow, trigger_type: 'outbound' }))).id
  }

  const bearer = (token: string, workspace = own): ApiClient =>
    workspace.api.with({ authorization: `Bearer ${token}` })
  const call = async (token: string, workspace = own): Promise<Answer> =>
    bearer(token, workspace).post('/call-center/calls/make', { to: '+12025550100', type: 'audio' })
  const reject = async (token: string, id: string, workspace = own): Promise<Answer> =>
    bearer(token, workspace).post(`/call-center/calls/${id}/reject`, {})

  /** A JWT that holds, but for what the claims change; undefined leaves one out. */
  const tokenWith = (claims: object = {}, workspace = own): string =>
    clientToken(workspace, { call_flow_id: flow, ...claims })

  /** Signed as the customer's backend would, with any header and claims. */
  function handMade(header: object, claims: object, key = own.secret, hash = 'sha256'): string {
    const content = `${encoded(header)}.${encoded(claims)}`
    return `${content}.${createHmac(hash, key).update(content).digest('base64url')}`
  }
  const claimsOf = (token: string) => jwt.decode(token) as Record<string, unknown>

  async function expectRefused(token: string, workspace = own): Promise<void> {
    const answers = [await call(token, workspace), await reject(token, 'call_1', workspace)]
    for (const { status, body } of answers) {
      expect(status, JSON.stringify(body)).to.equal(401)
      // Whatever is wrong with it, the answer does not say.
      expect(body.message).to.match(/^Missing or invalid credentials/)
    }
  }

  it('make calls when they hold', async () => {
    const { status, body } = await call(tokenWith())
    expect(status, JSON.stringify(body)).to.equal(201)
    expect(body).to.have.all.keys('call_id', 'ws_url', 'call_token')
    expect(body.ws_url).to.match(/^ws/).and.to.include(body.call_id)
    const claims = claimsOf(body.call_token as string)
    expect(claims).to.include({ sub: 'user-1', kind: 'client', aud: 'call-session' })
    expect(claims).to.include({ workspace_id: own.id, call_id: body.call_id, credential: own.sid })
    expect(Number(claims['exp']) - Date.now() / 1000).to.be.within(800, 901)
  })

  it('are refused when they are made by hand: alg none, other algorithms, other keys', async () => {
    const claims = claimsOf(tokenWith())
    const none = `${encoded({ alg: 'none', typ: 'JWT' })}.${encoded(claims)}.`
    await expectRefused(none)
    await expectRefused(none.slice(0, -1))
    await expectRefused(`${none}${tokenWith().split('.')[2]}`)
    for (const alg of ['none', 'None', 'NONE', 'RS256', 'ES256', 'HS1', '', undefined]) {
      await expectRefused(handMade({ alg, typ: 'JWT' }, claims))
    }
    await expectRefused(handMade({ alg: 'HS384' }, claims, own.secret, 'sha384'))
    await expectRefused(handMade({ alg: 'HS512' }, claims, own.secret, 'sha512'))
    const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    const content = `${encoded({ alg: 'RS256', typ: 'JWT' })}.${encoded(claims)}`
    const signed = createSign('sha256').update(content).sign(privateKey, 'base64url')
    await expectRefused(`${content}.${signed}`)
    await expectRefused(
      handMade({ alg: 'HS256' }, claims, publicKey.export({ type: 'spki', format: 'pem' }) as string),
    )
    for (const key of ['', 'secret', `${own.secret}x`, own.sid, `${own.sid}.${own.secret}`, foreign.secret]) {
      await expectRefused(handMade({ alg: 'HS256' }, claims, key))
    }
    // Headers that ask for a key from elsewhere.
    for (const more of [{ kid: '/dev/null' }, { jku: 'https://evil.example/jwks' }, { crit: ['exp'] }]) {
      await expectRefused(handMade({ alg: 'HS256', ...more }, claims, ''))
    }
  })

  it('are refused when they were changed after they were signed', async () => {
    const [header, , signature] = tokenWith().split('.')
    const other = encoded({ ...claimsOf(tokenWith()), sub: 'user-2' })
    await expectRefused(`${header}.${other}.${signature}`)
    await expectRefused(`${tokenWith()}x`)
    await expectRefused(tokenWith().replace(/\.[^.]*$/, '.'))
  })

  it('are refused once they are over, before they begin, and when they never end', async () => {
    const now = Math.floor(Date.now() / 1000)
    for (const claims of [
      { exp: now - 1 },
      { exp: 0 },
      { exp: undefined },
      { exp: null },
      { exp: String(now + 600) },
      { nbf: now + 600 },
    ]) {
      await expectRefused(handMade({ alg: 'HS256' }, { ...claimsOf(tokenWith()), ...claims }))
    }
  })

  it('are refused with a subject that names nobody', async () => {
    const subjects = ['user@example.com', 'a b', ' user', 'x'.repeat(65), '', 'ü', 'a/b', 'a\u0000', 'a\n', 7]
    for (const sub of [...subjects, null, undefined, ['user-1'], { $ne: '' }]) {
      await expectRefused(handMade({ alg: 'HS256' }, { ...claimsOf(tokenWith()), sub }))
    }
    for (const sub of ['x'.repeat(64), 'a', 'User.Name_1-x']) {
      expect((await call(tokenWith({ sub }))).status, sub).to.equal(201)
    }
  })

  it('are refused for another workspace than that of the host', async () => {
    const domainsOf = ({ id }: TestWorkspace) => [
      ...[`${id}.localhost`, `${id}.sip.localhost`, `agents--${id}.sip.localhost`],
    ]
    for (const domain of domainsOf(own)) {
      expect((await call(tokenWith({ domain }))).status, domain).to.equal(201)
    }
    for (const domain of domainsOf(foreign)) await expectRefused(tokenWith({ domain }))
    for (const domain of ['example.com', '', undefined, null, [`${own.id}.localhost`]]) {
      await expectRefused(handMade({ alg: 'HS256' }, { ...claimsOf(tokenWith()), domain }))
    }
    // Whole in itself, and taken elsewhere.
    await expectRefused(tokenWith(), foreign)
    // A customer who signs for another one's workspace with a key of their own.
    await expectRefused(tokenWith({ iss: foreign.sid }))
    await expectRefused(handMade({ alg: 'HS256' }, claimsOf(tokenWith({ iss: foreign.sid })), foreign.secret))
    await expectRefused(handMade({ alg: 'HS256' }, claimsOf(tokenWith()), foreign.secret))
    for (const iss of ['sid-unknown', '', undefined, ['x'], 'jackfield', "' OR 1=1 --"]) {
      await expectRefused(handMade({ alg: 'HS256' }, { ...claimsOf(tokenWith()), iss }))
    }
  })

  it('are refused once their key is revoked', async () => {
    const rights = { scope: 'any', role: 'viewer', signs_clients: true }
    const made = await succeed(own.api.post('/api-keys', rights))
    const [sid = '', secret = ''] = (made.api_key as string).split('.')
    const token = tokenWith({}, { ...own, sid, secret })
    const { status: accepted, body: making } = await call(token)
    expect(accepted).to.equal(201)
    const { status } = await own.api.delete(`/api-keys/${sid}`)
    expect(status).to.be.oneOf([200, 204])
    await expectRefused(token)
    expect((await reject(making.call_token as string, making.call_id as string)).status).to.equal(401)
  })

  it('are refused for another audience', async () => {
    const several = [['client-api', 'agent-api'], ['client-api', 'client-api'], [], { 0: 'client-api' }]
    for (const aud of [
      ...several,
      ...['agent-api', 'agent-refresh', 'call-session', 'password-reset', 'CLIENT-API', '', undefined],
    ]) {
      await expectRefused(handMade({ alg: 'HS256' }, { ...claimsOf(tokenWith()), aud }))
    }
  })

  it('hold with a list of the one audience (RFC 7519, section 4.1.3)', async () => {
    const listed = handMade({ alg: 'HS256' }, { ...claimsOf(tokenWith()), aud: ['client-api'] })
    expect((await call(listed)).status).to.equal(201)
  })

  it('hold for 30 days at most, and not in the year 3000', async () => {
    const inDays = (days: number) => Math.floor(Date.now() / 1000) + days * 86_400
    expect((await call(tokenWith({ exp: inDays(30) }))).status).to.equal(201)
    for (const exp of [inDays(31), inDays(366), 32_503_680_000, 1e300])
      await expectRefused(tokenWith({ exp }))
  })

  it('are signed by keys that may write, and by others only when the workspace says so', async () => {
    const keyed = async (rights: object) => {
      const made = await succeed(own.api.post('/api-keys', rights))
      const [sid = '', secret = ''] = (made.api_key as string).split('.')
      return { signs: made.signs_clients as boolean, token: tokenWith({}, { ...own, sid, secret }) }
    }
    for (const role of ['owner', 'editor', 'viewer']) {
      for (const scope of ['any', 'full']) {
        const { signs, token } = await keyed({ scope, role })
        expect(signs, `${role}, ${scope}`).to.equal(scope === 'full' && role !== 'viewer')
        if (signs) expect((await call(token)).status).to.equal(201)
        else await expectRefused(token)
        const other = await keyed({ scope, role, signs_clients: !signs })
        expect((await call(other.token)).status, `${role}, ${scope}, turned`).to.equal(signs ? 401 : 201)
      }
    }
  })

  it('are told what is wrong with them when they are rightly signed, and never otherwise', async () => {
    const now = Math.floor(Date.now() / 1000)
    const reader = await succeed(own.api.post('/api-keys', { scope: 'any', role: 'owner' }))
    const wrong: [string, object][] = [
      ['the claim aud must be client-api', { aud: 'agent-apis' }],
      ['the claim exp must be a number of seconds since 1970', { exp: 'never' }],
      ['the token is expired: the claim exp is past', { exp: now - 5 }],
      ['the claim exp must be within 30 days', { exp: now + 90 * 86_400 }],
      ['the claim nbf is not reached yet', { nbf: now + 3_600 }],
      ['the claim domain is not of this workspace', { domain: `${foreign.id}.localhost` }],
      ['the claim sub must have 1 to 64 letters, digits, underscores, hyphens or dots', { sub: 'a b' }],
      ['the claim call_flow_id must be the id of a call flow', { call_flow_id: undefined }],
    ]
    for (const [why, claims] of wrong) {
      const held = { ...claimsOf(tokenWith()), ...claims }
      const { status, body } = await call(handMade({ alg: 'HS256' }, held))
      expect(status).to.equal(401)
      // What says that it is of another audience is not even looked at as a client's.
      const said = why.includes('aud')
        ? /^Missing or invalid credentials: Auth/
        : `Missing or invalid credentials: ${why}`
      if (typeof said === 'string') expect(body.message).to.equal(said)
      else expect(body.message).to.match(said)
      for (const forged of [handMade({ alg: 'HS256' }, held, 'guess'), handMade({ alg: 'none' }, held, '')]) {
        expect((await call(forged)).body.message).to.match(/^Missing or invalid credentials: Authorization/)
      }
    }
    const claims = { ...claimsOf(tokenWith()), iss: reader.sid }
    expect((await call(handMade({ alg: 'HS256' }, claims, reader.secret))).body.message).to.equal(
      `Missing or invalid credentials: the API key ${reader.sid} does not sign client tokens: its signs_clients is false`,
    )
    expect((await call(handMade({ alg: 'HS256' }, claims, 'guess'))).body.message).to.match(/: Authorization/)
  })

  it('name a flow for outbound calls of this workspace', async () => {
    const inbound = (await succeed(own.api.post('/call-flows', callFlow))).id as string
    const theirs = await outboundFlow(foreign)
    for (const [call_flow_id, rule] of [
      [inbound, /flow for inbound calls/],
      [theirs, /not a call flow of this workspace/],
      ['cf_unknown', /not a call flow of this workspace/],
    ] as const) {
      const { status, body } = await call(tokenWith({ call_flow_id }))
      expect(status).to.equal(400)
      expect(body.errors).to.have.length(1)
      expect(body.errors[0].field).to.equal('call_flow_id')
      expect(body.errors[0].messages[0]).to.match(rule)
    }
    for (const call_flow_id of [undefined, null, '', 7, 'a b']) {
      await expectRefused(handMade({ alg: 'HS256' }, { ...claimsOf(tokenWith()), call_flow_id }))
    }
  })

  describe('are not those of somebody else:', () => {
    it('an agent’s refresh token, and no token of an app opens what is an agent’s', async () => {
      const agent = await newPerson(own)
      await expectRefused(agent.refresh_token)
      const made = await call(tokenWith())
      const visitor = own.api.with({ authorization: undefined })
      const { device_id } = agent
      for (const token of [tokenWith(), made.body.call_token as string]) {
        for (const [path, body] of [
          ['/auth/refresh', { refresh_token: token, device_id }],
          ['/auth/verify', { token }],
        ] as const) {
          const { status, body: answer } = await visitor.post(path, body)
          expect(status, `${path} ${JSON.stringify(answer)}`).to.be.oneOf([400, 401])
        }
        // Nor what is done with an API key.
        for (const scheme of ['Bearer', 'ApiKey']) {
          const { status } = await own.api.with({ authorization: `${scheme} ${token}` }).get('/calls')
          expect(status).to.equal(401)
        }
      }
    })

    it('the token of a call makes no calls', async () => {
      const made = await call(tokenWith())
      expect((await call(made.body.call_token as string)).status).to.equal(401)
    })

    it('an API key is no token', async () => {
      await expectRefused(`${own.sid}.${own.secret}`)
      await expectRefused(own.secret)
      const reader = await keyWith(own, { scope: 'any', role: 'viewer' })
      const { status } = await reader.post('/call-center/calls/make', { to: '101', type: 'audio' })
      expect(status).to.equal(401)
    })
  })

  describe('of a call, stolen,', () => {
    let made: Record<string, string>

    before(async () => {
      made = (await call(tokenWith())).body
    })

    it('are refused in another workspace', async () => {
      expect((await reject(made['call_token']!, made['call_id']!, foreign)).status).to.equal(401)
    })

    it('say nothing in another call', async () => {
      const other = (await call(tokenWith({ sub: 'user-2' }))).body.call_id as string
      expect((await reject(made['call_token']!, other)).status).to.equal(404)
    })

    it('and those of other subjects say nothing in this one', async () => {
      expect((await reject(tokenWith({ sub: 'user-2' }), made['call_id']!)).status).to.equal(404)
      const others = (await call(tokenWith({ sub: 'user-2' }))).body.call_token as string
      expect((await reject(others, made['call_id']!)).status).to.equal(404)
      const agent = await newPerson(own)
      expect((await agent.api.post(`/call-center/calls/${made['call_id']!}/reject`, {})).status).to.equal(404)
      // The same subject of another workspace is somebody else.
      const theirs = tokenWith({ call_flow_id: await outboundFlow(foreign) }, foreign)
      expect((await reject(theirs, made['call_id']!, foreign)).status).to.equal(404)
    })

    it('are refused when customers sign them', async () => {
      const claims = claimsOf(made['call_token']!)
      for (const key of [own.secret, foreign.secret, '']) {
        await expectRefused(handMade({ alg: 'HS256', typ: 'JWT' }, claims, key))
      }
      const elsewhere = new CallTokens(new Tokens(new Keyring(Buffer.alloc(32, 7))))
      await expectRefused(elsewhere.sign(claims as never).token)
    })

    it('are refused when they are changed', async () => {
      const [header, , signature] = made['call_token']!.split('.')
      const later = encoded({ ...claimsOf(made['call_token']!), call_id: 'call_other' })
      await expectRefused(`${header}.${later}.${signature}`)
    })
  })
})
