/**
 * A fuzz over the OpenAPI document: whatever is sent to whatever endpoint is answered with a status
 * and a body that the document declares, and never with a 5xx.
 *
 * It runs for JACKFIELD_FUZZ_SECONDS in all (40 by default) from the seed JACKFIELD_FUZZ_SEED (fixed by
 * default, so that a run can be repeated; a failure prints the smallest request that shows it).
 */
import { expect } from 'chai'
import fc from 'fast-check'
import type { ApiClient, Answer } from '../support/api-client.js'
import type { Appliance, TestWorkspace } from '../support/appliance.js'
import { type Params, bodyOf, paramsOf, urlOf } from './endpoint-examples.js'
import { newActiveNumber, personOf, startUnlimited } from './fixtures.js'
import { type Operation, answerCheck, builtDocument, operationsOf } from './operations.js'
import { textsOf, valuesOf } from './schema-values.js'

const seconds = Number(process.env['JACKFIELD_FUZZ_SECONDS'] ?? 40)
const seed = Number(process.env['JACKFIELD_FUZZ_SEED'] ?? 20_261_121)

const document = builtDocument()
const operations = operationsOf(document)
const conforms = answerCheck(document)
const timeLimit = (seconds * 1_000) / operations.length

describe('a fuzz over the document', function () {
  this.timeout(60_000 + seconds * 1_000)
  let appliance: Appliance

  before(async () => {
    appliance = await startUnlimited()
  })
  after(async () => appliance?.stop())

  for (const operation of operations) {
    it(`finds nothing in ${operation.name}`, async () => {
      // Each in a workspace of its own: what was made before must not have reached its limits.
      const workspace = await appliance.workspace({ credit: 1_000 })
      await newActiveNumber(appliance, workspace)
      const client = await clientOf(operation, appliance, workspace)
      const params = await paramsOf(operation, appliance, workspace)
      const body = await bodyOf(operation, workspace)
      const property = fc.asyncProperty(requestsTo(operation, params, body), async (request) => {
        const answer = await sent(client, operation, request)
        expect(answer.status, 'status').to.be.below(500)
        if (request.path === urlOf(operation, params)) conforms(operation, answer)
      })
      // One at least: on a slow machine its share of the time may be over before.
      await fc.assert(property, { seed, numRuns: 1 })
      const limits = { interruptAfterTimeLimit: timeLimit, markInterruptAsFailure: false }
      const result = await fc.check(property, { seed, numRuns: 10_000, ...limits })
      if (result.failed && !result.interrupted) throw new Error(fc.defaultReportMessage(result))
    })
  }

  it('leaves the server in health', async () => {
    const { body } = await appliance.operator.get('/health')
    expect(body.status).to.equal('ok')
  })
})

/** Who gets furthest in an endpoint. */
async function clientOf(
  { auth }: Operation,
  appliance: Appliance,
  workspace: TestWorkspace,
): Promise<ApiClient> {
  switch (auth.scheme) {
    case 'operator':
      return appliance.operator
    case 'visitor':
      return workspace.api.with({ authorization: undefined })
    case 'bearer':
      return (await personOf(workspace, auth.roles.at(-1) ?? 'member')).api
    default:
      return workspace.api
  }
}

interface Request {
  path: string
  query: [string, string][]
  /** JSON text, perhaps broken; null for none. */
  content: string | null
}

function requestsTo(operation: Operation, params: Params, body: unknown): fc.Arbitrary<Request> {
  const path = urlOf(operation, params)
  const lost = fc.string({ unit: 'binary', minLength: 1, maxLength: 60 }).map((text) => {
    const value = encodeURIComponent(text.replace(/\p{Surrogate}/gu, '?'))
    return urlOf(operation, Object.fromEntries(Object.keys(params).map((name) => [name, value])))
  })
  const paths = Object.keys(params).length > 0 ? [{ weight: 1, arbitrary: lost }] : []
  return fc.record({
    path: fc.oneof({ weight: 9, arbitrary: fc.constant(path) }, ...paths),
    query: queriesOf(operation),
    content: contentsOf(operation, body),
  })
}

function queriesOf({ parameters }: Operation): fc.Arbitrary<[string, string][]> {
  const known = parameters
    .filter((one) => one.in === 'query')
    .map(({ name, schema }) => textsOf(document, schema).map((text): [string, string] => [name, text]))
  const strange = fc.tuple(fc.string({ maxLength: 10 }), fc.string({ maxLength: 10 }))
  return fc.array(fc.oneof(...known, strange), { maxLength: 4 })
}

function contentsOf({ body: schema }: Operation, example: unknown): fc.Arbitrary<string | null> {
  if (!schema) return fc.constant(null)
  const random = valuesOf(document, schema).map((value) => JSON.stringify(value))
  // Near the body that is known to be good: each of its parts may be changed.
  const near = fc
    .tuple(fc.constant(example), valuesOf(document, schema), fc.array(fc.nat(50), { maxLength: 3 }))
    .map(([good, other, picks]) => JSON.stringify(mixed(good, other, picks)))
  const broken = fc
    .tuple(random, fc.nat(), fc.string({ unit: 'binary', maxLength: 3 }))
    .map(
      ([text, at, junk]) => text.slice(0, at % (text.length + 1)) + junk + text.slice(at % (text.length + 1)),
    )
  return fc.oneof(
    { weight: 5, arbitrary: random },
    { weight: 5, arbitrary: near },
    { weight: 1, arbitrary: broken },
  )
}

/** The good body with some fields of another one. */
function mixed(good: unknown, other: unknown, picks: readonly number[]): unknown {
  if (typeof other !== 'object' || other === null || typeof good !== 'object' || good === null) return other
  const fields = Object.entries(other)
  const taken = picks.flatMap((pick) => fields.slice(pick % (fields.length + 1)).slice(0, 1))
  return { ...good, ...Object.fromEntries(taken) }
}

async function sent(client: ApiClient, { method }: Operation, request: Request): Promise<Answer> {
  const query = new URLSearchParams(request.query).toString()
  return client.request(method, request.path + (query && `?${query}`), {
    ...(request.content !== null && { raw: { type: 'application/json', content: request.content } }),
  })
}
