/** The SDK's types, which are generated where something changed. */
import { expect } from 'chai'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'mocha'
import { generateSdkTypes } from '../sdk-types.mjs'

describe('the types of the SDK', function () {
  this.timeout(120_000)
  const sdk = mkdtempSync(join(tmpdir(), 'jackfield-sdk-'))
  const types = join(sdk, 'src/openapi.ts')
  const kinds = join(sdk, 'src/carrier-kinds.ts')
  const document = join(sdk, 'dist/openapi.json')
  after(() => rmSync(sdk, { recursive: true }))

  it('are generated again where the server is another one, and left alone where nothing changed', async () => {
    expect(await generateSdkTypes({ sdk }), 'there are none').to.equal(true)
    const typed = readFileSync(types, 'utf8')
    const described = readFileSync(document, 'utf8')
    expect(typed).to.include('export interface paths')
    expect(readFileSync(kinds, 'utf8')).to.include('export const carrierKinds')
    expect(await generateSdkTypes({ sdk }), 'nothing changed').to.equal(false)

    const { mtimeMs } = statSync(types)
    utimesSync(document, 0, 0)
    expect(await generateSdkTypes({ sdk }), 'the same document').to.equal(false)
    expect(statSync(document).mtimeMs).to.be.above(Date.now() - 60_000)
    expect(statSync(types).mtimeMs).to.equal(mtimeMs)

    writeFileSync(document, '{}')
    utimesSync(document, 0, 0)
    writeFileSync(types, `${typed}// of another document\n`)
    expect(await generateSdkTypes({ sdk, ifMissing: true }), 'they are there').to.equal(false)
    expect(await generateSdkTypes({ sdk }), 'another document').to.equal(true)
    expect(readFileSync(types, 'utf8')).to.equal(typed)
    expect(readFileSync(document, 'utf8')).to.equal(described)

    rmSync(kinds)
    expect(await generateSdkTypes({ sdk, ifMissing: true }), 'the forms of carriers are missing').to.equal(
      true,
    )
    expect(existsSync(kinds)).to.equal(true)
  })
})
