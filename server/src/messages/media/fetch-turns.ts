/** Messages whose files are fetched at once: their files are in memory, and workspaces share the places. */
import { Turns } from '../../turns.js'

export class FetchTurns {
  private readonly turns = new Turns({ inAll: 32, ofOwner: 8, share: 1 / 4, waitingOfOwner: 0 })

  /** @throws {LineFullError} when the workspace has as many under way as it may: its job is tried again */
  async take<T>(workspaceId: string, work: () => Promise<T>): Promise<T> {
    return this.turns.take(workspaceId, 0, work)
  }
}
