/** The installer has its own copy of what makes ids of secrets: it runs before the server is built. */
import { expect } from 'chai'
import { pathToFileURL } from 'node:url'
import { secretId } from '../../src/infrastructure/database/secret-id.js'
import { pathOf } from '../support/paths.js'

describe('ids of secrets', () => {
  it('are the same in server and installer', async () => {
    const installer = (await import(pathToFileURL(pathOf('installer/secret-id.mjs')).href)) as {
      secretId: typeof secretId
    }
    for (const kind of ['key', 'operator token'] as const)
      for (const secret of ['a secret', Buffer.alloc(32, 7)])
        expect(installer.secretId(secret, kind))
          .to.equal(secretId(secret, kind))
          .and.match(/^[0-9a-f]{8}$/)
  })
})
