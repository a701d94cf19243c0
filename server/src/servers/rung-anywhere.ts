/** Whose apps ring for a call: only the server that drives the call knows, as an app that rings need not have a leg yet. */
import type { Person } from '../calls/apps/app-seats.js'
import type { Rings } from '../calls/apps/rings.js'
import { ApiError } from '../http/errors.js'
import { type CallDriver, here } from './call-driver.js'
import type { Servers } from './servers.js'

export class RungAnywhere {
  constructor(
    private readonly rings: Pick<Rings, 'peopleOf'>,
    private readonly servers: Servers,
    private readonly driver: CallDriver,
    private readonly cellOf: (callId: string) => Promise<string | null>,
  ) {
    servers.onAsked('call.rung', async ({ callId }: { callId: string }) =>
      Promise.resolve(this.peopleHere(callId)),
    )
  }

  /** Of the calls that this server drives. */
  peopleHere(callId: string): readonly Person[] {
    return this.rings.peopleOf(callId)
  }

  /** Empty where the server that drives the call cannot be reached. */
  async peopleOf(callId: string): Promise<readonly Person[]> {
    const found = this.peopleHere(callId)
    if (this.driver.isAlone || found.length > 0) return found
    const server = this.driver.serverOf(await this.cellOf(callId))
    if (server === here || server === null) return []
    try {
      return (await this.servers.ask(server, 'call.rung', { callId })) as readonly Person[]
    } catch (error) {
      if (error instanceof ApiError) return []
      throw error
    }
  }
}
