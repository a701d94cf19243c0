/** Telephone numbers as targets of transfers, and the right to call them. */
import type { Owner } from '../../../infrastructure/database/workspace-table.js'
import { forbidden, invalidField } from '../../../infrastructure/http/errors.js'
import { refusalText } from '../../phone-numbers/allowed-countries.js'
import type { PhoneNumber } from '../../phone-numbers/phone-number.entity.js'
import type { PhoneNumberService } from '../../phone-numbers/phone-number.service.js'
import type { WorkspaceNumbers } from '../../phone-numbers/workspace-numbers.js'
import { internationalNumber } from '../../../lib/numbering/e164.js'
import type { CallLimits } from '../limits/call-limits.js'
import type { CallRouting } from '../routing/call-routing.js'
import type { FoundTarget } from './transfer-target.js'

interface Services {
  numbers: Pick<WorkspaceNumbers, 'digitsOf' | 'byId'>
  phoneNumbers: Pick<PhoneNumberService, 'findOutboundOfAgent'>
  limits: Pick<CallLimits, 'refusalOf'>
  routing: Pick<CallRouting, 'rateOf'>
}

export class OutsideTargets {
  constructor(private readonly services: Services) {}

  /**
   * @param by id of the agent who asks
   * @param phoneNumberId the workspace's number of the call
   * @returns null if the text is no number
   * @throws 400 if they may show none of the workspace's numbers; 403 if the workspace may not call the number
   */
  async find(
    workspace: Owner,
    text: string,
    { by, phoneNumberId }: { by: string; phoneNumberId: string | null },
  ): Promise<FoundTarget | null> {
    const { numbers, limits, routing } = this.services
    const digits = await numbers.digitsOf(workspace, text)
    const number = digits === null ? null : internationalNumber(`+${digits}`)
    if (!number) return null
    const from = await this.callerId(workspace, by, phoneNumberId)
    if (!from) {
      throw invalidField(
        'target',
        'target is a telephone number, and none of the workspace’s numbers may be shown to it by you',
      )
    }
    const refusal = await limits.refusalOf(workspace, number)
    if (refusal) throw forbidden(refusalText(refusal, 'call', number))
    if (!(await routing.rateOf(workspace, number.digits, from)))
      throw forbidden(`The workspace may not call +${number.digits}: its rates block this prefix`)
    return { kind: 'number', id: number.digits, from: from.number, name: `+${number.digits}`, username: null }
  }

  /** The call's own number if they may use it, else the oldest that they may use. */
  private async callerId(
    workspace: Owner,
    by: string,
    phoneNumberId: string | null,
  ): Promise<PhoneNumber | null> {
    const { numbers, phoneNumbers } = this.services
    const called = phoneNumberId === null ? null : await numbers.byId(workspace, phoneNumberId)
    const own = called && (await phoneNumbers.findOutboundOfAgent(workspace, by, called.number))
    return own ?? phoneNumbers.findOutboundOfAgent(workspace, by)
  }
}
