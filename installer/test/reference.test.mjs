/** The pages of docs/reference say what the code says. */
import { expect } from 'chai'
import { describe, it } from 'mocha'
import { existsSync, readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { pages } from '../reference/pages.mjs'
import { ROOT } from '../settings.mjs'

describe('the reference', function () {
  this.timeout(120_000)

  it('is what the code says: else run npm run reference', async () => {
    const written = await pages()
    expect(written).to.not.be.empty
    for (const { path, text } of written) {
      const kept = existsSync(path) ? readFileSync(path, 'utf8') : ''
      expect(kept, `${relative(ROOT, path)}: run npm run reference`).to.equal(text)
    }
  })
})
