/**
 * What holds for every endpoint, none exempt: who is let in, whose rows are seen, and that whatever is
 * sent is answered in the documented shape. The operations come from the OpenAPI document; an endpoint
 * that is added without an entry in the tables below makes this suite fail.
 */
import { expect } from 'chai'
import type { Answer, ApiClient } from '../support/api-client.js'
import type { Appliance, TestWorkspace } from '../support/appliance.js'
import {
  type Params,
  bodies,
  bodyOf,
  paramsOf,
  resources,
  shared,
  unknownParams,
  unknownStatus,
  prepareImports,
  uploads,
  urlOf,
} from './endpoint-examples.js'
import {
  type AgentRole,
  clientToken,
  keyRights,
  keyWith,
  newActiveNumber,
  newAdmin,
  personOf,
  startUnlimited,
  succeed,
} from './fixtures.js'
import { loneSurrogate, malice, nested } from './malice.js'
import { type Operation, answerCheck, builtDocument, operationsOf, placesOf, replaced } from './operations.js'

const document = builtDocument()
const operations = operationsOf(document)
const conforms = answerCheck(document)

let appliance: Appliance
let own: TestWorkspace
let foreign: TestWorkspace
let viewer: ApiClient
let reader: ApiClient
let revoked: ApiClient
let admin: ApiClient
let foreignAdmin: ApiClient
/** Access tokens of agents of each role, by workspace. */
const agents = new Map<TestWorkspace, Record<AgentRole, ApiClient>>()

const stranger = 'sid-000000000000000000000000.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'

/** Numbers to JavaScript, and to nobody who writes a query. */
const notDecimal = [
  ...[
    'Infinity',
    '-Infinity',
    '+Infinity',
    '1e309',
    '-1e309',
    '1e1',
    '1E1',
    'NaN',
    '0x10',
    '0b11',
    '0o7',
    '1_0',
  ],
  ...['+1', ' 1', '1 ', '1.', '.5', '1,0', '١', '1\n', 'null', 'true', '9'.repeat(16), '1n'],
]

const deep: unknown = JSON.parse(nested(2_000))

/** What is asked by POST and keeps nothing. */
const pureChecks = new Set(['/call-flows/check', '/call-flows/simulate', '/call-flows/{id}/simulate'])

describe('every endpoint', function () {
  this.timeout(60_000)

  before(async () => {
    appliance = await startUnlimited()
    own = await appliance.workspace()
    foreign = await appliance.workspace()
    reader = await keyWith(own, { scope: 'any', role: 'viewer' })
    viewer = await keyWith(own, { scope: 'full', role: 'viewer' })
    revoked = await keyWith(own, keyRights)
    await succeed(own.api.delete(`/api-keys/${revoked.authorization!.slice('ApiKey '.length).split('.')[0]}`))
    admin = (await newAdmin(own)).api
    foreignAdmin = (await newAdmin(foreign)).api
    for (const workspace of [own, foreign]) {
      await newActiveNumber(appliance, workspace)
      await prepareImports(workspace.api)
      const [member, leader, supervisor] = await Promise.all(
        (['member', 'leader', 'supervisor'] as const).map(async (role) => personOf(workspace, role)),
      )
      agents.set(workspace, { member: member!.api, leader: leader!.api, supervisor: supervisor!.api })
    }
  })
  after(async () => appliance?.stop())

  it('is in the document that the server gives out', async () => {
    const { status, body } = await own.api.get('/openapi.json')
    expect(status).to.equal(200)
    expect(body).to.deep.equal(JSON.parse(JSON.stringify(document)))
    expect(operations.length).to.be.greaterThan(20)
  })

  for (const operation of operations) {
    const { name, auth, path, parameters } = operation
    const pathParameters = parameters.filter((one) => one.in === 'path')
    const queries = parameters.filter((one) => one.in === 'query')
    const isOperators = auth.scheme === 'operator'

    describe(name, () => {
      it('has its entries in the tables of this suite', () => {
        if (pathParameters.length > 0) expect(resources, 'resources').to.have.property(path)
        if (operation.body) expect(bodies, 'bodies').to.have.property(name)
        if (operation.takesOnlyFiles) expect(uploads, 'uploads').to.have.property(name)
      })

      it('says who may call it', () => {
        // Those without credentials are where credentials come from.
        if (path.startsWith('/auth/')) expect(auth.scheme).to.equal('visitor')
        else expect(auth.scheme).to.be.oneOf(['operator', 'api_key', 'bearer'])
      })

      it('lets pages of other sites call it with tokens, and not with keys', async () => {
        const isForPages = auth.scheme === 'bearer' || auth.scheme === 'visitor'
        const client = (isOperators ? appliance.operator : own.api).with({ authorization: undefined })
        const url = urlOf(operation, Object.fromEntries(pathParameters.map((one) => [one.name, 'x'])))
        if (isForPages) {
          const preflight = await client.request('OPTIONS', url)
          expect(preflight.status).to.equal(204)
          expect(preflight.headers['access-control-allow-methods']).to.include(operation.method.toUpperCase())
        }
        const { headers } = await client.request(operation.method.toUpperCase(), url)
        expect(headers['access-control-allow-origin']).to.equal(isForPages ? '*' : undefined)
      })

      if (auth.scheme !== 'visitor') {
        it('answers 401 without credentials and with wrong ones', async () => {
          const client = clientOf(operation)
          const wrong = isOperators
            ? ['Operator', 'Operator wrong', 'Bearer operator-token-of-the-tests', own.api.authorization]
            : auth.scheme === 'bearer'
              ? wrongTokens(auth)
              : [
                  `ApiKey ${own.sid}.wrong`,
                  `ApiKey ${stranger}`,
                  `ApiKey ${own.sid}`,
                  `ApiKey ${own.sid}.`,
                  `ApiKey .${own.secret}`,
                  `Bearer ${own.sid}.${own.secret}`,
                  `Basic ${Buffer.from(`${own.sid}:${own.secret}`).toString('base64')}`,
                  'Operator wrong',
                  foreign.api.authorization,
                  revoked.authorization,
                  // Of the agents only admins are let in.
                  ...Object.values(agents.get(own)!).map((agent) => agent.authorization),
                  foreignAdmin.authorization,
                  `Bearer ${clientToken(own)}`,
                ]
          for (const authorization of [undefined, 'x', 'ApiKey', `ApiKey ${'x'.repeat(4_000)}`, ...wrong]) {
            const answer = await send(client.with({ authorization }), operation, unknownParams(operation))
            expect(answer.status, `with ${authorization}`).to.equal(401)
            conforms(operation, answer)
          }
        })
      }

      it('answers on its own hosts only', async () => {
        const client = clientOf(operation)
        const elsewhere = isOperators ? `${own.id}.localhost` : 'admin.localhost'
        const misplaced = await send(client.with({ host: elsewhere }), operation, unknownParams(operation))
        expect(misplaced.status, `on ${elsewhere}`).to.equal(404)
        if (isOperators) return
        const nowhere = ['nobody', '\u00e9', '__proto__', `x.${own.id}`].map((id) => `${id}.localhost`)
        for (const host of ['localhost', 'example.com', ...nowhere]) {
          const answer = await send(client.with({ host }), operation, unknownParams(operation))
          expect(answer.status, `on ${host}`).to.equal(400)
          conforms(operation, answer)
        }
      })

      if (auth.scheme === 'api_key' && (auth.scope === 'full' || auth.roles.length < 3)) {
        it('answers 403 to keys of too little scope or role', async () => {
          const scopes = auth.scope === 'full' ? [{ scope: 'any', role: 'owner' }] : []
          const roles = ['owner', 'editor', 'viewer']
            .filter((role) => !(auth.roles as readonly string[]).includes(role))
            .map((role) => ({ scope: 'full', role }))
          for (const rights of [...scopes, ...roles]) {
            const answer = await send(await keyWith(own, rights), operation, unknownParams(operation))
            expect(answer.status, JSON.stringify(rights)).to.equal(403)
            conforms(operation, answer)
          }
        })
      } else if (auth.scheme === 'api_key') {
        it('lets a reading key in', async () => {
          const params = await paramsOf(operation, appliance, own)
          const answer = await send(reader, operation, params, await bodyOf(operation, own))
          expect(answer.status).to.equal(operation.successStatus)
        })
      }

      if (auth.scheme === 'api_key' && operation.method !== 'GET' && !pureChecks.has(operation.path)) {
        it('changes nothing for a viewer, whatever the scope of the key', async () => {
          const answer = await send(viewer, operation, unknownParams(operation))
          expect(answer.status).to.equal(403)
          conforms(operation, answer)
        })
      }

      if (auth.scheme === 'api_key') {
        it('lets agents in who are admins', async () => {
          const answer = await send(admin, operation, unknownParams(operation))
          expect(answer.status).not.to.be.oneOf([401, 403])
          conforms(operation, answer)
        })
      }

      if (auth.scheme === 'bearer' && auth.roles.length < 3) {
        it('answers 403 to agents of other roles', async () => {
          for (const role of ['member', 'leader', 'supervisor'] as const) {
            if (auth.roles.includes(role)) continue
            const answer = await send(agents.get(own)![role], operation, unknownParams(operation))
            expect(answer.status, role).to.equal(403)
            conforms(operation, answer)
          }
        })
      }

      it('succeeds as declared', async () => {
        const params = await paramsOf(operation, appliance, own)
        const answer = await send(clientOf(operation), operation, params, await bodyOf(operation, own))
        expect(answer.status, JSON.stringify(answer.body)).to.equal(operation.successStatus)
        conforms(operation, answer)
      })

      if (pathParameters.length > 0) {
        it('answers 404 to unknown ids and to those of another workspace', async () => {
          const body = await bodyOf(operation, own)
          const expected = unknownStatus[name] ?? 404
          const unknown = await send(clientOf(operation), operation, unknownParams(operation), body)
          expect(unknown.status, 'unknown').to.equal(expected)
          conforms(operation, unknown)
          const params = await paramsOf(operation, appliance, foreign)
          if (shared.has(name) || (isOperators && !('workspace_id' in params))) return
          const crossed = isOperators ? { ...params, workspace_id: own.id } : params
          const answer = await send(clientOf(operation), operation, crossed, body)
          expect(answer.status, 'foreign').to.equal(expected)
          conforms(operation, answer)
          // It was not touched either: its owner can still do the same with it.
          const client = clientOf(operation, foreign)
          const owners = await send(client, operation, params, await bodyOf(operation, foreign))
          expect(owners.status, `its owner: ${JSON.stringify(owners.body)}`).to.equal(operation.successStatus)
        })

        it('takes nothing in its path amiss', async () => {
          const body = await bodyOf(operation, own)
          const texts = [...malice.filter((text) => text && text !== loneSurrogate), "pn_' OR 1=1"]
          const hostile = ['%00', '%E0%A4%A', '%', '%2e%2e%2f', ...texts.map(encodeURIComponent)]
          for (const value of hostile) {
            for (const { name: parameter } of pathParameters) {
              const params = { ...unknownParams(operation), [parameter]: value }
              const answer = await send(clientOf(operation), operation, params, body)
              expect(answer.status, `${parameter}=${value.slice(0, 80)}`).to.be.oneOf([400, 404])
              expect(answer.body).to.include({ statusCode: answer.status })
            }
          }
        })
      }

      it('refuses query parameters that it does not know, by name', async () => {
        const params = await paramsOf(operation, appliance, own)
        const odd = [
          '__proto__',
          'constructor',
          'search[x]',
          '%E0%A4%A',
          'unknown',
          'stauts',
          'Page',
          'toString',
        ]
        for (const parameter of odd) {
          const answer = await send(clientOf(operation), operation, params, undefined, `?${parameter}=1`)
          expect(answer.status, parameter).to.equal(400)
          if (parameter.startsWith('%')) continue
          expect(answer.body.errors[0].field).to.equal(parameter)
          expect(answer.body.message).to.include(`${parameter} is not a known query parameter`)
          conforms(operation, answer)
        }
      })

      const numeric = parameters.filter(({ schema }) =>
        ['integer', 'number'].includes(String(schema['type'])),
      )
      if (numeric.length > 0) {
        it('takes numbers in decimal notation only', async () => {
          const params = await paramsOf(operation, appliance, own)
          for (const parameter of numeric) {
            for (const value of notDecimal) {
              const isInPath = parameter.in === 'path'
              const path = isInPath ? { ...params, [parameter.name]: encodeURIComponent(value) } : params
              const query = isInPath ? '' : `?${parameter.name}=${encodeURIComponent(value)}`
              const answer = await send(clientOf(operation), operation, path, undefined, query)
              expect(answer.status, `${parameter.name}=${value}`).to.equal(400)
              expect(answer.body.errors[0].field).to.equal(parameter.name)
              conforms(operation, answer)
            }
          }
        })
      }

      if (queries.length > 0) {
        it('holds its query to its bounds', async () => {
          const broken = queries.flatMap(({ name: parameter, schema }) => [
            ...('minimum' in schema ? [{ parameter, value: String(Number(schema['minimum']) - 1) }] : []),
            ...('maximum' in schema ? [{ parameter, value: String(Number(schema['maximum']) + 1) }] : []),
            ...('maxLength' in schema
              ? [{ parameter, value: 'x'.repeat(Number(schema['maxLength']) + 1) }]
              : []),
            ...('enum' in schema
              ? ['nonsense', 'id; DROP TABLE x', ''].map((value) => ({ parameter, value }))
              : []),
            ...(schema['type'] === 'integer'
              ? ['', 'x', '1.5', '-1', '1e9', 'NaN', '9'.repeat(30)].map((value) => ({ parameter, value }))
              : []),
          ])
          expect(broken.length).to.be.greaterThan(0)
          const params = await paramsOf(operation, appliance, own)
          for (const { parameter, value } of broken) {
            const query = new URLSearchParams({ [parameter]: value }).toString()
            const answer = await send(clientOf(operation), operation, params, undefined, `?${query}`)
            expect(answer.status, query.slice(0, 80)).to.equal(400)
            expect(answer.body.errors[0].field).to.equal(parameter)
            expect(answer.body.message).to.equal(answer.body.errors[0].messages[0])
            conforms(operation, answer)
          }
        })

        it('accepts the ends of its bounds, and finds nothing amiss in any search', async () => {
          const params = await paramsOf(operation, appliance, own)
          const client = clientOf(operation)
          // A version has not only to be within bounds but to be there.
          const bounded = queries.filter((one) => one.name !== 'version')
          const ends = bounded.flatMap(({ name: parameter, schema }) =>
            [schema['minimum'], schema['maximum'], ...((schema['enum'] ?? []) as unknown[])]
              .filter((value) => value !== undefined)
              .map((value) => `?${parameter}=${String(value)}`),
          )
          const searches = queries.some((query) => query.name === 'search')
            ? malice.filter((text) => text.length <= 100).map((text) => `?search=${encoded(text)}`)
            : []
          for (const query of [...ends, ...searches]) {
            const answer = await send(client, operation, params, undefined, query)
            expect(answer.status, query).to.equal(200)
            conforms(operation, answer)
          }
          for (const twice of ['?page=1&page=2', '?sort_order=asc&sort_order=desc']) {
            const answer = await send(client, operation, params, undefined, twice)
            expect(answer.status, twice).to.be.oneOf([200, 400])
            conforms(operation, answer)
          }
        })
      }

      if (operation.body) {
        it('refuses bodies that are no JSON, too large, or of another type', async () => {
          const params = await paramsOf(operation, appliance, own)
          const raws = [
            { type: 'application/json', content: '{"title": ', status: 400 },
            { type: 'application/json', content: '\u0000', status: 400 },
            { type: 'application/json', content: '[]', status: 400 },
            { type: 'application/json', content: '"text"', status: 400 },
            { type: 'application/json', content: '1', status: 400 },
            { type: 'application/json', content: Buffer.from([0x7b, 0xff, 0xfe]), status: 400 },
            { type: 'text/plain', content: '{}', status: 400 },
            { type: 'application/xml', content: '<x/>', status: 400 },
            { type: 'application/x-www-form-urlencoded', content: 'title=x', status: 400 },
            { type: 'multipart/form-data', content: 'x', status: 400 },
            { type: 'application/json', content: JSON.stringify({ x: 'x'.repeat(2_000_000) }), status: 400 },
            { type: 'application/json', content: `{"x":${nested(200_000)}}`, status: 400 },
            { type: 'application/json', content: `{"x":${nested(450_000)}}`, status: 400 },
            { type: 'application/json', content: '{"__proto__":{"polluted":true}}', status: 400 },
            { type: 'application/json', content: '{"constructor":{"prototype":{}}}', status: 400 },
            { type: 'application/json', content: '{"toString":1}', status: 400 },
          ]
          for (const { status, ...raw } of raws) {
            const answer = await clientOf(operation).request(operation.method, urlOf(operation, params), {
              raw,
            })
            const hint = `${raw.type} ${raw.content.toString().slice(0, 40)}`
            expect(answer.status, hint).to.equal(status)
            conforms(operation, answer, hint)
          }
        })

        it('takes no id of another workspace in its body', async () => {
          const params = await paramsOf(operation, appliance, own)
          const [body, foreigns] = [await bodyOf(operation, own), await bodyOf(operation, foreign)]
          for (const { path: place, value } of idsIn(foreigns)) {
            const changed = replaced(body, place, value)
            const answer = await send(clientOf(operation), operation, params, changed)
            const hint = `${place.join('.')} = ${value}`
            expect(answer.status, hint).to.be.oneOf([400, 404])
            conforms(operation, answer, hint)
          }
        })

        it('takes nothing in any field amiss', async () => {
          const params = await paramsOf(operation, appliance, own)
          const body = await bodyOf(operation, own)
          const client = clientOf(operation)
          for (const place of placesOf(document, operation.body!)) {
            const values: unknown[] = [null, true, -1, 1e308, [], {}, [[]], ['x', 'x'], deep, [deep, deep]]
            for (const value of [...values, ...malice]) {
              const changed = replaced(body, place.path, value)
              const content = JSON.stringify(changed)
              const answer = await client.request(operation.method, urlOf(operation, params), {
                raw: { type: 'application/json', content },
              })
              const hint = `${place.path.join('.')} = ${JSON.stringify(value).slice(0, 60)}`
              expect(answer.status, hint).to.be.below(500)
              conforms(operation, answer, hint)
            }
          }
        })
      }
    })
  }
})

function clientOf({ auth }: Operation, workspace = own): ApiClient {
  switch (auth.scheme) {
    case 'operator':
      return appliance.operator
    case 'bearer': {
      const role = auth.roles.at(-1)
      if (!auth.kinds.includes('agent') || !role) throw new Error('no such token here')
      return agents.get(workspace)![role]
    }
    case 'visitor':
      return workspace.api.with({ authorization: undefined })
    default:
      return workspace.api
  }
}

function wrongTokens(auth: Extract<Operation['auth'], { scheme: 'bearer' }>): (string | undefined)[] {
  const elsewhere = agents.get(foreign)!.supervisor.authorization
  const token = agents.get(own)!.supervisor.authorization!
  const [head, claims] = token.split('.')
  return [
    ...[
      'Bearer',
      'Bearer x',
      'Bearer a.b.c',
      `${head}.${claims}.`,
      `${token}x`,
      token.replace('Bearer', 'ApiKey'),
    ],
    ...[own.api.authorization, 'Operator wrong', elsewhere, `Bearer ${clientToken(foreign)}`],
    ...(auth.kinds.includes('client') ? [] : [`Bearer ${clientToken(own)}`]),
  ]
}

async function send(
  client: ApiClient,
  operation: Operation,
  params: Params,
  body?: unknown,
  query = '',
): Promise<Answer> {
  const upload = body === undefined ? uploads[operation.name] : undefined
  const sent = upload ? { raw: upload } : { body }
  return client.request(operation.method, urlOf(operation, params) + query, sent)
}

interface FoundId {
  path: (string | number)[]
  value: string
}

/** Every id in a body, and where it stands. */
function idsIn(body: unknown, path: (string | number)[] = []): FoundId[] {
  if (typeof body === 'string')
    return /^([a-z]+_|sid-)[0-9a-z]{24,26}$/.test(body) ? [{ path, value: body }] : []
  if (typeof body !== 'object' || body === null) return []
  return Object.entries(body).flatMap(([key, value]) =>
    idsIn(value, [...path, Array.isArray(body) ? Number(key) : key]),
  )
}

/** Percent-encoded, also where it is no valid text: a lone surrogate as its three bytes. */
function encoded(text: string): string {
  return text === loneSurrogate ? '%ED%A0%80' : encodeURIComponent(text)
}
