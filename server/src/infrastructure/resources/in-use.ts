/** Who uses a thing: deleting what is in use is refused with the names of its users. */
import type { EntityManager } from 'typeorm'
import { isReferenced } from '../database/database.js'
import type { Owner } from '../database/workspace-table.js'
import { conflict } from '../http/errors.js'

/** What is not deleted while others use it. Agents, SIP accounts, voice agents, extensions and numbers are. */
export type UsedKind =
  'api_key' | 'inbound_acl' | 'outbound_gateway' | 'audio' | 'team' | 'call_flow' | 'address_book'

/**
 * Names users of a thing, for example `number 12025550100`; one more than {@link namedUsers} are enough.
 * @param tx looks on this connection, where the asking one is part of a transaction
 */
export type FindUsers = (workspace: Owner, id: string, tx?: EntityManager) => Promise<string[]>

/** How many users are named when something cannot be deleted. */
export const namedUsers = 10

/** Features register how they use what others own, so that owners need not know their users. */
export class InUse {
  private readonly finders = new Map<UsedKind, FindUsers[]>()

  register(kind: UsedKind, find: FindUsers): void {
    this.finders.set(kind, [...(this.finders.get(kind) ?? []), find])
  }

  /**
   * Deletes unless something uses the thing. A user that appears meanwhile is caught by its foreign key.
   * @param subject names the thing in the error, for example `The team Sales`
   * @throws 409 with the users' names
   */
  async delete(
    kind: UsedKind,
    workspace: Owner,
    id: string,
    subject: string,
    remove: () => Promise<void>,
  ): Promise<void> {
    await this.refuse(kind, workspace, id, subject)
    try {
      await remove()
    } catch (error) {
      if (!isReferenced(error)) throw error
      throw usedBy(subject, await this.usersOf(kind, workspace, id))
    }
  }

  /**
   * @param tx the caller's transaction, if there is one. Its connection must be used: if every holder of a connection waited
   *   for a second one, none would get it
   * @throws 409 with the users' names, when there are any
   */
  async refuse(
    kind: UsedKind,
    workspace: Owner,
    id: string,
    subject: string,
    tx?: EntityManager,
  ): Promise<void> {
    const users = await this.usersOf(kind, workspace, id, tx)
    if (users.length > 0) throw usedBy(subject, users)
  }

  private async usersOf(kind: UsedKind, workspace: Owner, id: string, tx?: EntityManager): Promise<string[]> {
    const finders = this.finders.get(kind) ?? []
    const found = await Promise.all(finders.map(async (find) => find(workspace, id, tx)))
    return found.flat()
  }
}

/** What refuses to delete a thing; one user more than {@link namedUsers} means that there are others. */
export function usedBy(subject: string, users: readonly string[]) {
  const more = users.length > namedUsers ? ' and others' : ''
  return conflict(`${subject} is used by ${users.slice(0, namedUsers).join(', ')}${more}`)
}
