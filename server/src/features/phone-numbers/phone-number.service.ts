/** Phone numbers: connecting, changing, activating and finding the one a call goes out with. */
import type { Logger } from 'pino'
import { And, type EntityManager, Equal, type FindOperator, type FindOptionsWhere, Not, Raw } from 'typeorm'
import { type Database, isDuplicate, isMissingReference } from '../../infrastructure/database/database.js'
import { newId } from '../../infrastructure/database/ids.js'
import { rowsChanged } from '../../infrastructure/database/row-changes.js'
import type { Owner } from '../../infrastructure/database/workspace-table.js'
import { badRequest, conflict, invalidField } from '../../infrastructure/http/errors.js'
import type { ListRequest, Page } from '../../infrastructure/http/lists.js'
import { ResourceRows } from '../../infrastructure/resources/resource-rows.js'
import type { InboundAclService } from '../sip-trunks/inbound-acl.service.js'
import type { OutboundGatewayService } from '../sip-trunks/outbound-gateway.service.js'
import { checkTeams } from '../teams/shared-teams.js'
import { type InUse, namedUsers } from '../../infrastructure/resources/in-use.js'
import type { KeptValues } from '../../lib/kept-values.js'
import { nationalNumber } from '../../lib/numbering/e164.js'
import { type NumberNames, withNames } from './number-names.js'
import { having, numberFilter } from './number-filter.js'
import { NumberTeams, type SharedNumber } from './number-teams.js'
import { NumberCarrier } from './number-carrier.entity.js'
import { type NumberFees, keepFees, takeKeptFees } from './kept-number-fees.js'
import { type Capability, PhoneNumber, type Verifier } from './phone-number.entity.js'
import { maxNumbers, phoneNumberResource } from './phone-number.resource.js'
import type { ConnectNumber, NumberQuery, SetNumber, UpdateNumber } from './phone-number.schema.js'

/** Something was there when it was looked for, and gone when the number was written. */
const justDeleted = () => badRequest('Something that the number names has just been deleted')

/** What numbers need to know of call flows. */
export interface FlowTriggers {
  /** The calls a flow is for, which stays so until the transaction ends; null when there is no such flow. */
  lockedTrigger(tx: EntityManager, workspace: Owner, flowId: string): Promise<'inbound' | 'outbound' | null>
}

export class PhoneNumberService extends ResourceRows<PhoneNumber> {
  private readonly newFees: NumberFees
  private readonly teams: NumberTeams
  private readonly forgetters: ((tx: EntityManager, number: PhoneNumber) => Promise<void>)[] = []

  constructor(
    database: Database,
    private readonly inboundAcls: InboundAclService,
    private readonly outboundGateways: OutboundGatewayService,
    inUse: InUse,
    private readonly flows: FlowTriggers,
    newNumberFees: Omit<NumberFees, 'fee_per_month'>,
    private readonly kept: Pick<KeptValues, 'get'>,
    private readonly log: Logger,
  ) {
    super(phoneNumberResource, { database, max: maxNumbers, kept })
    this.newFees = { fee_per_month: 0, ...newNumberFees }
    this.teams = new NumberTeams(database, inUse, kept)
    inUse.register('inbound_acl', async (workspace, inbound_acl_id) =>
      this.namesOf(workspace, { inbound_acl_id }),
    )
    inUse.register('outbound_gateway', async (workspace, outbound_gateway_id) =>
      this.namesOf(workspace, { outbound_gateway_id }),
    )
    inUse.register('call_flow', async (workspace, call_flow_id, tx) =>
      this.namesOf(workspace, { call_flow_id }, tx),
    )
  }

  override async list(workspace: Owner, query: NumberQuery): Promise<Page<SharedNumber & NumberNames>> {
    const { rows, total } = await super.list(workspace, query, numberFilter(query))
    return { rows: await withNames(this.database, workspace, await this.teams.join(workspace, rows)), total }
  }

  /** @throws 404 */
  override async get(workspace: Owner, id: string): Promise<SharedNumber> {
    return this.shared(workspace, await this.table.find(workspace, id), id)
  }

  override async find(workspace: Owner, id: string): Promise<PhoneNumber | null> {
    return this.kept.get(workspace.id, `number ${id}`, async () => this.table.find(workspace, id))
  }

  /** By its digits with the country code. */
  async findByDigits(workspace: Owner, number: string): Promise<PhoneNumber | null> {
    return this.kept.get(workspace.id, `digits ${number}`, async () =>
      this.table.findWith(workspace, { number }),
    )
  }

  /** Caller id of a call that names none: the oldest number that may call out. */
  async findDefaultOutbound(workspace: Owner): Promise<PhoneNumber | null> {
    const where = { status: 'active', enable_outbound: true, is_verified: true } as const
    return this.kept.get(workspace.id, 'default number', async () => {
      const [number] = await this.table.findAll(workspace, where, 1)
      return number ?? null
    })
  }

  /** The gateways of the active numbers, those of the oldest first. */
  async gatewaysOf(workspace: Owner, limit: number): Promise<string[]> {
    const rows = await this.database.source.query<{ outbound_gateway_id: string }[]>(
      `SELECT outbound_gateway_id FROM phone_numbers
       WHERE workspace_id = ? AND status = 'active' AND outbound_gateway_id IS NOT NULL
       GROUP BY outbound_gateway_id ORDER BY MIN(id) LIMIT ?`,
      [workspace.id, limit],
    )
    return rows.map(({ outbound_gateway_id: id }) => id)
  }

  /** The oldest number that sends texts. */
  async findDefaultSender(workspace: Owner): Promise<PhoneNumber | null> {
    const where = { status: 'active', is_verified: true, capabilities: having('sms') } as const
    const [number] = await this.table.findAll(workspace, where, 1)
    return number ?? null
  }

  /**
   * The oldest number that an agent may call with: shared with one of the agent's teams, or with all.
   * @param digits the number that it must be
   */
  async findOutboundOfAgent(workspace: Owner, agentId: string, digits?: string): Promise<PhoneNumber | null> {
    const named = digits === undefined ? {} : { number: digits }
    const where = { ...seenBy(agentId), ...named, enable_outbound: true, is_verified: true }
    const [number] = await this.table.findAll(workspace, where, 1)
    return number ?? null
  }

  /** The active numbers that an agent sees: those shared with one of the agent's teams, or with all. */
  async listOfAgent(
    workspace: Owner,
    agentId: string,
    request: Omit<ListRequest, 'sort_field'>,
  ): Promise<Page<SharedNumber>> {
    const options = { ...request, sort_field: 'created_at', where: seenBy(agentId) }
    const { rows, total } = await this.table.list(workspace, options)
    return { rows: await this.teams.join(workspace, rows), total }
  }

  /** A number that an agent sees. @throws 404 */
  async getOfAgent(workspace: Owner, agentId: string, id: string): Promise<SharedNumber> {
    const where = { ...seenBy(agentId), id: And(Equal(id), isSharedWith(agentId)) }
    return this.shared(workspace, await this.table.findBy(workspace, where), id)
  }

  /**
   * Connects a number of the customer's own trunk; it is pending until activated.
   * @throws 400 bad number, ACL or gateway, 403 at 100 numbers, 409 when the workspace has the number
   */
  async connect(workspace: Owner, input: ConnectNumber): Promise<SharedNumber> {
    const parsed = nationalNumber(input.number, input.country_code)
    if (!parsed) throw invalidField('number', `number is not a possible number of ${input.country_code}`)
    await this.checkTrunks(workspace, input)
    const outbound_gateway_id = input.outbound_gateway_id ?? null
    checkWayOut({ enable_outbound: input.enable_outbound, outbound_gateway_id })
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
      record_outbound: false,
      ...unverified,
      ...this.newFees,
      created_at: now,
      updated_at: now,
    }
    const connected = await this.database.transaction(async (tx) => {
      const number = { ...row, ...(await takeKeptFees(tx, row)) }
      try {
        await this.table.in(tx).insert(number)
      } catch (error) {
        if (isDuplicate(error)) throw conflict(`The number ${row.number} exists in this workspace already`)
        throw isMissingReference(error) ? justDeleted() : error
      }
      await this.checkLimit(tx, workspace)
      return { ...number, shared_teams_id: [] }
    })
    if (await this.isElsewhere(connected))
      this.log.warn(
        { event: 'number.claimed_twice', workspace: workspace.id, number: connected.number },
        'a number is connected in several workspaces: the operator says whose it is (is_verified)',
      )
    return connected
  }

  /** Whether another workspace has the number, too. */
  private async isElsewhere({ number, workspace_id }: PhoneNumber): Promise<boolean> {
    return this.database.platformTable(PhoneNumber).existsBy({ number, workspace_id: Not(workspace_id) })
  }

  /** Changes that race are made one after the other. @throws 400 bad ACL, gateway, team or flow, 404 */
  async update(
    workspace: Owner,
    id: string,
    { shared_teams_id, ...input }: UpdateNumber,
  ): Promise<SharedNumber> {
    await this.checkTrunks(workspace, input)
    if (shared_teams_id) await checkTeams(this.database, workspace, shared_teams_id)
    try {
      return await this.database.transaction(async (tx) => {
        const number = await this.shared(workspace, await this.table.in(tx).lock(workspace, id), id, tx)
        if (input.call_flow_id) await this.checkFlow(tx, workspace, input.call_flow_id)
        const changes = { ...input, updated_at: new Date() }
        const changed = { ...number, ...changes, ...(shared_teams_id && { shared_teams_id }) }
        checkWayOut(changed)
        await this.table.in(tx).update(workspace, id, changes)
        if (shared_teams_id) await this.teams.replace(tx, number, shared_teams_id)
        return changed
      })
    } catch (error) {
      throw isMissingReference(error) ? justDeleted() : error
    }
  }

  /** Lets a number be shown to others. */
  async verify(tx: EntityManager, workspace: Owner, id: string, by: Verifier): Promise<void> {
    await this.table.in(tx).update(workspace, id, { ...verifiedBy(by), updated_at: new Date() })
  }

  /** A pending number has shown that it works: it takes calls. It is no caller id before it is verified. */
  async activate(tx: EntityManager, { id, workspace_id }: PhoneNumber): Promise<void> {
    await this.table.in(tx).update({ id: workspace_id }, id, { status: 'active', updated_at: new Date() })
  }

  /**
   * Whether it sends and takes messages. The number is locked until the transaction ends.
   * @throws 404
   */
  async setMessaging(tx: EntityManager, workspace: Owner, id: string, on: boolean): Promise<PhoneNumber> {
    const number = await this.table.in(tx).lock(workspace, id)
    if (!number) throw this.unknown(id)
    if (number.capabilities.includes('sms') === on) return number
    const others = number.capabilities.filter((capability) => capability !== 'sms')
    const changes = { capabilities: on ? [...others, 'sms' as const] : others, updated_at: new Date() }
    await this.table.in(tx).update(workspace, id, changes)
    return { ...number, ...changes }
  }

  /** What the operator sets: status, capabilities, whether it is verified, prices. To activate a number verifies it. @throws 400 `sms` that does not follow the carriers, 404 */
  async set(workspace: Owner, id: string, input: SetNumber): Promise<SharedNumber> {
    return this.database.transaction(async (tx) => {
      const number = await this.shared(workspace, await this.table.in(tx).lock(workspace, id), id, tx)
      if (input.capabilities) await checkMessaging(tx, number, input.capabilities)
      const changes = { ...input, ...verificationOf(number, input), updated_at: new Date() }
      await this.table.in(tx).update(workspace, id, changes)
      return { ...number, ...changes }
    })
  }

  /** Registers a hook that runs in the transaction that deletes a number. */
  beforeDelete(forget: (tx: EntityManager, number: PhoneNumber) => Promise<void>): void {
    this.forgetters.push(forget)
  }

  /** Deletes a number; accounts that called with it have no caller id. @throws 404 */
  override async delete(workspace: Owner, id: string): Promise<SharedNumber> {
    const number = await this.get(workspace, id)
    await super.delete(workspace, id)
    return number
  }

  protected override async deleting(tx: EntityManager, number: PhoneNumber): Promise<undefined> {
    await keepFees(tx, number, this.newFees)
    for (const forget of this.forgetters) await forget(tx, number)
  }

  /** The numbers of a workspace that is deleted take no more calls and texts. */
  async close(tx: EntityManager, workspace: Owner): Promise<void> {
    await tx.update(PhoneNumber, { workspace_id: workspace.id }, { status: 'inactive', is_verified: false })
    rowsChanged(tx, 'phone_numbers', workspace.id)
  }

  /** How numbers that use something are named. */
  private async namesOf(
    workspace: Owner,
    where: FindOptionsWhere<PhoneNumber>,
    tx?: EntityManager,
  ): Promise<string[]> {
    const table = tx ? this.table.in(tx) : this.table
    const numbers = await table.findAll(workspace, where, namedUsers + 1)
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

  /** @throws 400 naming what is not the workspace's */
  private async checkTrunks(
    workspace: Owner,
    { inbound_acl_id, outbound_gateway_id }: Pick<UpdateNumber, 'inbound_acl_id' | 'outbound_gateway_id'>,
  ): Promise<void> {
    if (inbound_acl_id !== undefined && !(await this.inboundAcls.find(workspace, inbound_acl_id))) {
      throw invalidField('inbound_acl_id', 'inbound_acl_id is not an inbound ACL of this workspace')
    }
    if (outbound_gateway_id && !(await this.outboundGateways.find(workspace, outbound_gateway_id))) {
      throw invalidField('outbound_gateway_id', 'outbound_gateway_id is not a gateway of this workspace')
    }
  }

  /** @throws 404 when there is no number */
  private async shared(
    workspace: Owner,
    number: PhoneNumber | null,
    id: string,
    tx?: EntityManager,
  ): Promise<SharedNumber> {
    const [shared] = number ? await this.teams.join(workspace, [number], tx) : []
    if (!shared) throw this.unknown(id)
    return shared
  }
}

const unverified = { is_verified: false, verified_by: null, verified_at: null } as const

function verifiedBy(verified_by: Verifier) {
  return { is_verified: true, verified_by, verified_at: new Date() }
}

/** What the operator says of a number's verification, by word or by activating it. */
function verificationOf(
  { is_verified, verified_by }: PhoneNumber,
  { is_verified: said, status }: SetNumber,
): Partial<PhoneNumber> {
  if (said === false) return unverified
  if (said ?? status === 'active')
    return is_verified && verified_by !== 'upgrade' ? {} : verifiedBy('operator')
  return {}
}

/** @throws 400 when `sms` is added or taken away by hand: a number has it while it has SMS carriers */
async function checkMessaging(
  tx: EntityManager,
  { id, capabilities: before }: PhoneNumber,
  capabilities: readonly Capability[],
): Promise<void> {
  const isAsked = capabilities.includes('sms')
  if (isAsked === before.includes('sms')) return
  const hasCarriers = await tx.existsBy(NumberCarrier, { phone_number_id: id })
  if (isAsked === hasCarriers) return
  throw invalidField(
    'capabilities',
    isAsked
      ? 'capabilities must not have sms: the number has no SMS carrier'
      : 'capabilities must have sms: the number has SMS carriers',
  )
}

/** The condition that an agent may use a number. */
function seenBy(agentId: string) {
  return { status: 'active', id: isSharedWith(agentId) } as const
}

function isSharedWith(agentId: string): FindOperator<string> {
  return Raw(
    (id) => `(NOT EXISTS (SELECT 1 FROM phone_number_teams shared WHERE shared.phone_number_id = ${id})
      OR EXISTS (SELECT 1 FROM phone_number_teams shared
        JOIN team_members member ON member.team_id = shared.team_id
        WHERE shared.phone_number_id = ${id} AND member.agent_id = :agentId))`,
    { agentId },
  ) as FindOperator<string>
}

/** @throws 400 when calls should go out and there is no gateway for them */
function checkWayOut(number: Pick<PhoneNumber, 'enable_outbound' | 'outbound_gateway_id'>): void {
  if (number.enable_outbound && number.outbound_gateway_id === null) {
    throw invalidField('outbound_gateway_id', 'outbound_gateway_id is required when enable_outbound is true')
  }
}
