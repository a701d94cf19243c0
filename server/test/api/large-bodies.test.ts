/**
 * Large bodies of every shape to every endpoint, at two sizes: what the server works at them grows with the size and no
 * faster. Its processor time is measured, of several turns the least, so that a busy machine does not count.
 */
import { readFileSync } from 'node:fs'
import { expect } from 'chai'
import type { ApiClient } from '../support/api-client.js'
import type { Appliance, TestWorkspace } from '../support/appliance.js'
import { bodyOf, paramsOf, urlOf } from './endpoint-examples.js'
import { newActiveNumber, personOf, startUnlimited } from './fixtures.js'
import { nested } from './malice.js'
import { type Operation, builtDocument, operationsOf } from './operations.js'

/** Bytes of the larger body, and how many times as large as the smaller one it is. */
const largest = 900_000
const growth = 4

/** Milliseconds of work that are no harm; the square of such sizes takes many seconds. */
const harmlessMs = 400
const mostGrowth = 3 * growth

/** A clock tick of /proc, in milliseconds. */
const tickMs = 10

const shapes: Record<string, (field: string, bytes: number) => string> = {
  'unknown fields': (_, bytes) => `{${list(bytes, (index) => `"k${index}":1`)}}`,
  'many numbers': (field, bytes) => `{"${field}":[${list(bytes, String)}]}`,
  'many objects': (field, bytes) => `{"${field}":[${list(bytes, (index) => `{"a":${index}}`)}]}`,
  'many empty objects': (field, bytes) => `{"${field}":[${list(bytes, () => '{}')}]}`,
  'many keys': (field, bytes) => `{"${field}":{${list(bytes, (index) => `"k${index}":null`)}}}`,
  'one long text': (field, bytes) => `{"${field}":"${'a'.repeat(bytes)}"}`,
  'deep lists': (field, bytes) => `{"${field}":${nested(bytes / 2)}}`,
  'many lists': (_, bytes) => `[${list(bytes, () => '[]')}]`,
}

function list(bytes: number, part: (index: number) => string): string {
  return Array.from({ length: Math.ceil(bytes / (part(99_999).length + 1)) }, (_, index) => part(index)).join(
    ',',
  )
}

describe('large bodies', function () {
  this.timeout(120_000)
  let appliance: Appliance
  let workspace: TestWorkspace
  before(async () => {
    appliance = await startUnlimited()
    workspace = await appliance.workspace()
    await newActiveNumber(appliance, workspace)
  })
  after(async () => appliance?.stop())

  for (const operation of operationsOf(builtDocument()).filter(({ body }) => body)) {
    it(`cost ${operation.name} what their size is worth`, async () => {
      const client = await clientOf(operation)
      const url = urlOf(operation, await paramsOf(operation, appliance, workspace))
      const example = await bodyOf(operation, workspace)
      const schema = operation.body as { properties?: object; 'x-max-body-bytes'?: number }
      const field = Object.entries(example ?? {}).find(([, value]) => typeof value === 'object')?.[0]
      const name = field ?? Object.keys(schema.properties ?? {})[0] ?? 'x'
      const send = async (content: string) => {
        const before = workedMs()
        const { status } = await client.request(operation.method, url, {
          raw: { type: 'application/json', content },
        })
        expect(status).to.be.below(500)
        return workedMs() - before
      }
      for (const [shape, make] of Object.entries(shapes)) {
        const large = make(name, largest)
        if ((await send(large)) < harmlessMs) continue
        const work = await least(async () => send(large))
        if (work < harmlessMs) continue
        const small = await least(async () => send(make(name, largest / growth)))
        expect(work / Math.max(small, tickMs), `${shape}: ${small} ms, then ${work} ms`).to.be.below(
          mostGrowth,
        )
      }
    })
  }

  async function clientOf({ auth }: Operation): Promise<ApiClient> {
    if (auth.scheme === 'operator') return appliance.operator
    if (auth.scheme === 'visitor') return workspace.api.with({ authorization: undefined })
    return auth.scheme === 'bearer'
      ? (await personOf(workspace, auth.roles.at(-1) ?? 'member')).api
      : workspace.api
  }

  /** Processor time of the server so far. */
  function workedMs(): number {
    const fields = readFileSync(`/proc/${appliance.serverPid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
    return (Number(fields[11]) + Number(fields[12])) * tickMs
  }
})

async function least(work: () => Promise<number>): Promise<number> {
  return Math.min(await work(), await work(), await work())
}
