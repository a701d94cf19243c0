/** The committed types are those of the server's OpenAPI document. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import openapiTS, { astToString } from 'openapi-typescript'
import { ApiRequestError, createClient, dataOf } from '../src/index.js'

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url))

describe('the SDK', function () {
  this.timeout(30_000)

  it('has the types of the server’s own document: else run npm run generate -w sdk', async () => {
    const document = execFileSync(process.execPath, [at('../../../server/dist/src/print-openapi.js')])
    const types = astToString(await openapiTS(document))
    const committed = readFileSync(at('../../src/openapi.ts'), 'utf8')
    expect(committed.slice(committed.indexOf('export interface paths')).trim()).to.equal(types.trim())
  })

  it('sends its credential, and throws what the API refuses', async () => {
    const seen: Request[] = []
    const client = createClient({
      url: 'https://acme.voice.example/',
      apiKey: 'sid-1.secret',
      fetch: async (request) => {
        seen.push(request)
        const body = { statusCode: 404, message: 'Call call_1 not found', error: 'Not Found' }
        return Response.json(body, { status: 404 })
      },
    })
    const error: unknown = await dataOf(
      client.GET('/calls/{id}', { params: { path: { id: 'call_1' } } }),
    ).catch((thrown: unknown) => thrown)
    expect(error).to.be.instanceOf(ApiRequestError)
    expect(error).to.include({ status: 404, message: 'Call call_1 not found' })
    expect(seen[0]?.url).to.equal('https://acme.voice.example/api/v1/calls/call_1')
    expect(seen[0]?.headers.get('authorization')).to.equal('ApiKey sid-1.secret')
  })
})
