/** The generated types are those of the server's OpenAPI document: what is generated only where something changed is not stale. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import openapiTS, { astToString } from 'openapi-typescript'

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url))

/** The document has grown beyond what Node takes by itself, 1 MB. */
const documentBytes = 16_000_000

describe('the SDK', function () {
  this.timeout(30_000)

  it('has the types of the server’s own document', async () => {
    const printer = at('../../../server/dist/src/bin/print-openapi.js')
    const document = execFileSync(process.execPath, [printer], { maxBuffer: documentBytes })
    const types = astToString(await openapiTS(document))
    const generated = readFileSync(at('../../src/openapi.ts'), 'utf8')
    expect(generated.slice(generated.indexOf('export interface paths')).trim()).to.equal(types.trim())
  })

  it('has the server’s own kinds of SMS carriers', () => {
    const printer = at('../../../server/dist/src/bin/print-carrier-kinds.js')
    const kinds = execFileSync(process.execPath, [printer], { encoding: 'utf8' })
    expect(readFileSync(at('../../src/carrier-kinds.ts'), 'utf8')).to.equal(kinds)
  })
})
