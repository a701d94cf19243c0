/** Whose apps ring for a call: only the server that drives the call knows, as an app that rings need not have a leg yet. */
import type { AppUser } from '../model/app-user.js'
import type { IncomingCalls } from '../clients/incoming-calls.js'
import { ApiError } from '../../../infrastructure/http/errors.js'
import { type CallOwnership, here } from './call-ownership.js'
import type { Servers } from '../../cluster/servers.js'

export class RingingAnywhere {
  constructor(
    private readonly incomingCalls: Pick<IncomingCalls, 'peopleOf'>,
    private readonly servers: Servers,
    private readonly driver: CallOwnership,
    private readonly cellOf: (callId: string) => Promise<string | null>,
  ) {
    servers.onAsked('call.rung', async ({ callId }: { callId: string }) =>
      Promise.resolve(this.usersHere(callId)),
    )
  }

  /** Of the calls that this server drives. */
  usersHere(callId: string): readonly AppUser[] {
    return this.incomingCalls.peopleOf(callId)
  }

  /** Empty where the server that drives the call cannot be reached. */
  async peopleOf(callId: string): Promise<readonly AppUser[]> {
    const found = this.usersHere(callId)
    if (this.driver.isAlone || found.length > 0) return found
    const server = this.driver.serverOf(await this.cellOf(callId))
    if (server === here || server === null) return []
    try {
      return (await this.servers.ask(server, 'call.rung', { callId })) as readonly AppUser[]
    } catch (error) {
      if (error instanceof ApiError) return []
      throw error
    }
  }
}
