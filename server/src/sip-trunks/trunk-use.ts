/** What uses a trunk: deleting an ACL or a gateway in use is refused, with the names of its users. */
import type { Owner } from '../database/workspace-table.js'
import { conflict } from '../http/errors.js'

/** The phone numbers that use an ACL or a gateway; implemented by the feature of phone numbers. */
export interface TrunkUsers {
  numbersUsing(
    workspace: Owner,
    trunk: { inbound_acl_id: string } | { outbound_gateway_id: string },
  ): Promise<string[]>
}

export class TrunkUse {
  constructor(private readonly users: TrunkUsers) {}

  /**
   * Deletes unless phone numbers use the trunk. A number that is connected meanwhile is caught by
   * the foreign key.
   * @throws 409 with their numbers
   */
  async refuseWhileUsed(
    workspace: Owner,
    trunk: Parameters<TrunkUsers['numbersUsing']>[1],
    subject: string,
    remove: () => Promise<void>,
  ): Promise<void> {
    const refuse = (numbers: string[]) => conflict(`${subject} is used by the numbers ${numbers.join(', ')}`)
    const numbers = await this.users.numbersUsing(workspace, trunk)
    if (numbers.length > 0) throw refuse(numbers)
    try {
      await remove()
    } catch (error) {
      if ((error as { code?: string }).code !== 'ER_ROW_IS_REFERENCED_2') throw error
      throw refuse(await this.users.numbersUsing(workspace, trunk))
    }
  }
}
