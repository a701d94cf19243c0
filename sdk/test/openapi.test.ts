/** The committed types are those of the server's OpenAPI document. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import openapiTS, { astToString } from 'openapi-typescript'

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url))

describe('the SDK', function () {
  this.timeout(30_000)

  it('has the types of the server’s own document: else run npm run generate -w sdk', async () => {
    const document = execFileSync(process.execPath, [at('../../../server/dist/src/print-openapi.js')])
    const types = astToString(await openapiTS(document))
    const committed = readFileSync(at('../../src/openapi.ts'), 'utf8')
    expect(committed.slice(committed.indexOf('export interface paths')).trim()).to.equal(types.trim())
  })
})
