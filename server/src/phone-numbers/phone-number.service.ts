/** Phone numbers: connecting, changing, activating and finding the one a call goes out with. */
import type { EntityManager, FindOptionsWhere } from 'typeorm'
import { type Database, isDuplicate, isMissingReference } from '../database/database.js'
import { newId } from '../database/ids.js'
import { type Owner, WorkspaceTable } from '../database/workspace-table.js'
import { badRequest, conflict, invalidField, notFound } from '../http/errors.js'
import type { ListRequest, Page } from '../http/lists.js'
import type { InboundAclService } from '../sip-trunks/inbound-acl.service.js'
import type { OutboundGatewayService } from '../sip-trunks/outbound-gateway.service.js'
import { type InUse, namedUsers } from '../workspaces/in-use.js'
import { checkLimit } from '../workspaces/limits.js'
import { nationalNumber } from './e164.js'
import { PhoneNumber } from './phone-number.entity.js'
import type { ConnectNumber, SetNumber, UpdateNumber } from './phone-number.schema.js'

/** Contract, section Limits. */
export const maxNumbers = 100

/** A trunk was there when it was looked for, and gone when the number was written. */
const trunkDeleted = () => badRequest('The inbound ACL or the outbound gateway has just been deleted')

/** What numbers need to know of call flows. */
export interface FlowTriggers {
  /** The calls a flow is for, which stays so until the transaction ends; null when there is no such flow. */
  lockedTrigger(tx: EntityManager, workspace: Owner, flowId: string): Promise<'inbound' | 'outbound' | null>
}

export class PhoneNumberService {
  private readonly table: WorkspaceTable<PhoneNumber>

  constructor(
    private readonly database: Database,
    private readonly inboundAcls: InboundAclService,
    private readonly outboundGateways: OutboundGatewayService,
    private readonly inUse: InUse,
    private readonly flows: FlowTriggers,
    private readonly newNumberFee: number,
  ) {
    this.table = new WorkspaceTable(database, PhoneNumber, { audited: 'phone_number' })
    inUse.register('inbound_acl', async (workspace, inbound_acl_id) =>
      this.namesOf(workspace, { inbound_acl_id }),
    )
    inUse.register('outbound_gateway', async (workspace, outbound_gateway_id) =>
      this.namesOf(workspace, { outbound_gateway_id }),
    )
    inUse.register('call_flow', async (workspace, call_flow_id) => this.namesOf(workspace, { call_flow_id }))
  }

  async list(workspace: Owner, request: ListRequest): Promise<Page<PhoneNumber>> {
    return this.table.list(workspace, { ...request, searched: ['title', 'number'] })
  }

  /** @throws 404 */
  async get(workspace: Owner, id: string): Promise<PhoneNumber> {
    const number = await this.table.find(workspace, id)
    if (!number) throw notFound(`Phone number ${id} not found`)
    return number
  }

  async find(workspace: Owner, id: string): Promise<PhoneNumber | null> {
    return this.table.find(workspace, id)
  }

  /** By its digits with the country code. */
  async findByDigits(workspace: Owner, digits: string): Promise<PhoneNumber | null> {
    return this.table.findBy(workspace, { number: digits })
  }

  /** The number that a call without a caller id goes out with: the oldest one that may. */
  async findDefaultOutbound(workspace: Owner): Promise<PhoneNumber | null> {
    const [number] = await this.table.findAll(workspace, { status: 'active', enable_outbound: true }, 1)
    return number ?? null
  }

  /**
   * Connects a number of the customer's own trunk; it is pending until activated.
   * @throws 400 bad number, ACL or gateway, 403 at 100 numbers, 409 when the workspace has the number
   */
  async connect(workspace: Owner, input: ConnectNumber): Promise<PhoneNumber> {
    const parsed = nationalNumber(input.number, input.country_code)
    if (!parsed) throw invalidField('number', `number is not a possible number of ${input.country_code}`)
    const outbound_gateway_id = input.outbound_gateway_id ?? null
    await this.checkTrunks(workspace, { ...input, outbound_gateway_id })
    const now = new Date()
    const row: PhoneNumber = {
      id: newId('pn'),
      workspace_id: workspace.id,
      title: input.title,
      number: parsed.digits,
      country_code: input.country_code,
      dial_code: parsed.dialCode,
      status: 'pending',
      type: parsed.type,
      capabilities: ['voice'],
      provider: 'sip_trunk',
      enable_outbound: input.enable_outbound,
      inbound_acl_id: input.inbound_acl_id,
      outbound_gateway_id,
      call_flow_id: null,
      shared_teams_id: [],
      record_outbound: false,
      fee_per_month: 0,
      fee_per_mins_call: this.newNumberFee,
      created_at: now,
      updated_at: now,
    }
    return this.database.transaction(async (tx) => {
      await checkLimit(tx, this.table, workspace, { max: maxNumbers, what: 'phone numbers' })
      try {
        return await this.table.in(tx).insert(row)
      } catch (error) {
        if (isDuplicate(error)) throw conflict(`The number ${row.number} exists in this workspace already`)
        if (isMissingReference(error)) throw trunkDeleted()
        throw error
      }
    })
  }

  /** @throws 400 bad ACL, gateway, team or flow, 404 */
  async update(workspace: Owner, id: string, input: UpdateNumber): Promise<PhoneNumber> {
    const number = await this.get(workspace, id)
    const changed = { ...number, ...input, updated_at: new Date() }
    await this.checkTrunks(workspace, changed)
    // Teams come with a later step: until there are any, no id can be right.
    if (input.shared_teams_id?.length)
      throw invalidField('shared_teams_id.0', 'shared_teams_id.0 is not a team')
    try {
      await this.database.transaction(async (tx) => {
        if (input.call_flow_id) await this.checkFlow(tx, workspace, input.call_flow_id)
        await this.table.in(tx).update(workspace, id, { ...input, updated_at: changed.updated_at })
      })
    } catch (error) {
      throw isMissingReference(error) ? trunkDeleted() : error
    }
    return changed
  }

  /** What the carrier sets: status, capabilities, prices. @throws 404 */
  async set(workspace: Owner, id: string, input: SetNumber): Promise<PhoneNumber> {
    const changed = { ...(await this.get(workspace, id)), ...input, updated_at: new Date() }
    await this.table.update(workspace, id, { ...input, updated_at: changed.updated_at })
    return changed
  }

  /** @throws 404 unknown, 409 in use */
  async delete(workspace: Owner, id: string): Promise<PhoneNumber> {
    const number = await this.get(workspace, id)
    await this.inUse.delete('phone_number', workspace, id, `The number ${number.number}`, async () =>
      this.table.delete(workspace, id),
    )
    return number
  }

  /** Deletes all numbers of a workspace that is being deleted. */
  async deleteAll(tx: EntityManager, workspace: Owner): Promise<void> {
    await this.table.in(tx).deleteAll(workspace)
  }

  /** How numbers that use something are named. */
  private async namesOf(workspace: Owner, where: FindOptionsWhere<PhoneNumber>): Promise<string[]> {
    const numbers = await this.table.findAll(workspace, where, namedUsers)
    return numbers.map(({ number }) => `number ${number}`)
  }

  /** @throws 400 */
  private async checkFlow(tx: EntityManager, workspace: Owner, flowId: string): Promise<void> {
    const trigger = await this.flows.lockedTrigger(tx, workspace, flowId)
    if (trigger === null) {
      throw invalidField('call_flow_id', 'call_flow_id is not a call flow of this workspace')
    }
    if (trigger === 'outbound')
      throw invalidField('call_flow_id', 'call_flow_id is a flow for outbound calls')
  }

  private async checkTrunks(
    workspace: Owner,
    trunks: Pick<PhoneNumber, 'inbound_acl_id' | 'outbound_gateway_id' | 'enable_outbound'>,
  ): Promise<void> {
    if (!(await this.inboundAcls.find(workspace, trunks.inbound_acl_id))) {
      throw invalidField('inbound_acl_id', 'inbound_acl_id is not an inbound ACL of this workspace')
    }
    const { outbound_gateway_id } = trunks
    if (outbound_gateway_id !== null) {
      if (!(await this.outboundGateways.find(workspace, outbound_gateway_id))) {
        throw invalidField('outbound_gateway_id', 'outbound_gateway_id is not a gateway of this workspace')
      }
    } else if (trunks.enable_outbound) {
      throw invalidField(
        'outbound_gateway_id',
        'outbound_gateway_id is required when enable_outbound is true',
      )
    }
  }
}
