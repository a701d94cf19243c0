/** Ends what the tests of one process share. */
import { stopSharedMariadb } from './mariadb.js'

export const mochaHooks = {
  async afterAll(this: Mocha.Context): Promise<void> {
    this.timeout(30_000)
    await stopSharedMariadb()
  },
}
