/** Ends what the tests of one process share. */
import { endIdleAppliance, keepIdleAppliance } from './idle-appliance.js'
import { stopSharedMariadb } from './mariadb.js'

keepIdleAppliance()

export const mochaHooks = {
  async afterAll(this: Mocha.Context): Promise<void> {
    this.timeout(30_000)
    await endIdleAppliance()
    await stopSharedMariadb()
  },
}
