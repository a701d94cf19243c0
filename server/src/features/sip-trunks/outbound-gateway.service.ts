/** Outbound gateways. */
import { currentOrigin } from '../../infrastructure/database/audit.js'
import type { Database } from '../../infrastructure/database/database.js'
import { newId } from '../../infrastructure/database/ids.js'
import { listPlatformRows } from '../../infrastructure/database/platform-list.js'
import type { SecretBox } from '../../infrastructure/database/secrets.js'
import type { EntityManager } from 'typeorm'
import type { Owner } from '../../infrastructure/database/workspace-table.js'
import { purposes } from '../../infrastructure/database/sealed-columns.js'
import { ValidationError, forbidden, invalidField } from '../../infrastructure/http/errors.js'
import type { Page } from '../../infrastructure/http/lists.js'
import type { NextHops } from '../../infrastructure/http-client/next-hops.js'
import { type Afterwards, ResourceRows } from '../../infrastructure/resources/resource-rows.js'
import type { InUse } from '../../infrastructure/resources/in-use.js'
import type { Stir } from '../../adapters/stir-shaken/stir.js'
import type { KeptValues } from '../../lib/kept-values.js'
import type { GatewayAddress } from './gateway-address.entity.js'
import type { GatewayAddresses } from './gateway-addresses.js'
import type { GatewayApproval } from './gateway-approval.js'
import type { GatewayStates } from './gateway-states.js'
import { checkUris, completeUris } from './gateway-uris.js'
import { type GatewayRegistrations, checkRegistration, serialAfter } from './gateway-registrations.js'
import { checkCodecs } from './gateway-codecs.js'
import { checkHeaders, mayShow } from './gateway-headers.js'
import { OutboundGateway, type OutboundUri } from './outbound-gateway.entity.js'
import { outboundGatewayResource } from './outbound-gateway.resource.js'
import type {
  CreateOutboundGateway,
  GatewayQuery,
  OperatorGatewayQuery,
  UpdateOutboundGateway,
} from './sip-trunk.schema.js'

/** SIP digest credentials in clear. */
export interface Credential {
  username: string
  password: string
}

interface Options {
  database: Database
  secrets: SecretBox
  inUse: InUse
  /** Gateways that a workspace may hold. */
  limit: number
  stir: Pick<Stir, 'signs'>
  /** Values of a workspace. */
  kept: Pick<KeptValues, 'get'>
  maySign: (workspace: Owner) => Promise<boolean>
  /** Where carriers may be. */
  hops: Pick<NextHops, 'allows'>
  addresses: GatewayAddresses
  approval: GatewayApproval
  states: GatewayStates
  registrations: GatewayRegistrations
  /** Whether a number of the workspace may be shown to others. */
  isVerified: (workspace: Owner, digits: string) => Promise<boolean>
  /** The digits of a number as people of the workspace write it, with its country code; null for other texts. */
  digitsOf: (workspace: Owner, text: string) => Promise<string | null>
  /** Called when a gateway is made or changed: there may be names to look up. */
  written: (id: string) => void
}

export class OutboundGatewayService extends ResourceRows<OutboundGateway> {
  constructor(private readonly options: Options) {
    super(outboundGatewayResource, {
      ...{ database: options.database, inUse: options.inUse, max: options.limit, kept: options.kept },
    })
  }

  override async find(workspace: Owner, id: string): Promise<OutboundGateway | null> {
    return this.options.kept.get(workspace.id, `gateway ${id}`, async () => this.table.find(workspace, id))
  }

  override async list(workspace: Owner, { state, ...request }: GatewayQuery): Promise<Page<OutboundGateway>> {
    return super.list(workspace, request, state && { state })
  }

  /** Gateways of all workspaces, for the operator. */
  async listOfAll(query: OperatorGatewayQuery): Promise<Page<OutboundGateway>> {
    const { state, workspace_id } = query
    return listPlatformRows(this.database.platformTable(OutboundGateway), query, ['title'], {
      ...(state && { state }),
      ...(workspace_id && { workspace_id }),
    })
  }

  /** Approves a gateway of any workspace, or takes that back. Runs as the operator. @throws 404 */
  async approve(id: string, isApproved: boolean): Promise<OutboundGateway> {
    const gateway = await this.database.platformTable(OutboundGateway).findOneBy({ id })
    if (!gateway) throw this.unknown(id)
    return this.update({ id: gateway.workspace_id }, id, { is_approved: isApproved })
  }

  /** Gateways of all workspaces that wait for the operator, oldest first. */
  async pending(limit: number): Promise<OutboundGateway[]> {
    return this.database
      .platformTable(OutboundGateway)
      .find({ where: { state: 'pending_approval' }, order: { id: 'ASC' }, take: limit })
  }

  /** Gateways that may carry calls and list a short number, oldest first. */
  async idsWithShortNumber({ id }: Owner, digits: string): Promise<string[]> {
    const rows = await this.database.source.query<{ id: string }[]>(
      `SELECT id FROM outbound_gateways
       WHERE workspace_id = ? AND state = 'active' AND JSON_CONTAINS(short_numbers, ?) ORDER BY id`,
      [id, JSON.stringify(digits)],
    )
    return rows.map((row) => row.id)
  }

  /**
   * Takes a gateway to any host; where it leads to what only the operator lets it, it waits for the operator's approval.
   * @throws 403 at the limit; 400 what is no host, `is_signing` without a certificate to sign with or the operator's leave,
   * `media_encryption` over other transports than TLS, `codecs` without PCMU and PCMA
   */
  async create(
    workspace: Owner,
    { credential, outbound_uris: uris, ...request }: CreateOutboundGateway,
  ): Promise<OutboundGateway> {
    const input = await this.withCallerId(workspace, request)
    checkForwardedCaller(input)
    checkShortNumbers(input)
    checkUris(uris)
    const outbound_uris = completeUris(uris)
    checkEncryption({ ...input, outbound_uris })
    await this.checkSigning(workspace, input)
    const now = new Date()
    const id = newId('gw')
    const row: OutboundGateway = {
      id,
      workspace_id: workspace.id,
      ...{ outbound_caller_id: null, from_user: null, from_domain: null },
      ...{ contact_host: null, request_domain: null, register_user: null, register_domain: null },
      ...{ codecs: null, registration_serial: 0, ...input, outbound_uris },
      from_user_approved: isOperator(),
      ...this.sealed(id, credential),
      ...{ is_approved: isOperator(), state: 'active' },
      created_at: now,
      updated_at: now,
    }
    checkHeaders(row)
    checkCodecs(row)
    checkRegistration(row)
    await this.checkShown(row)
    const { addresses, approval, registrations } = this.options
    const made = await this.database.transaction(async (tx) => {
      const gateway = await this.table.in(tx).insert({ ...row, state: await approval.stateOf(row, tx) })
      await addresses.keep(tx, gateway)
      if (gateway.is_approved) await addresses.approve(tx, id, now)
      await registrations.keep(tx, gateway)
      await this.checkLimit(tx, workspace)
      return gateway
    })
    await this.changed(made, made.is_approved, [])
    return made
  }

  /** A credential of null takes it away. @throws 404, 403 and 400 as {@link create}, 403 `is_approved` of others than the operator */
  async update(
    workspace: Owner,
    id: string,
    { credential, outbound_uris: uris, ...written }: UpdateOutboundGateway,
  ): Promise<OutboundGateway> {
    const request = await this.withCallerId(workspace, written)
    if (request.is_approved !== undefined && !isOperator())
      throw forbidden('is_approved is set by the operator alone')
    if (uris) checkUris(uris)
    await this.checkSigning(workspace, request)
    const { addresses, approval, states, registrations } = this.options
    const { changed, before, led } = await this.database.transaction(async (tx) => {
      const gateways = this.table.in(tx)
      const gateway = await gateways.lock(workspace, id)
      if (!gateway) throw this.unknown(id)
      checkForwardedCaller(request, gateway)
      checkShortNumbers(request, gateway)
      const led = await addresses.ofGateway(id, tx)
      const input = {
        ...request,
        ...(uris && { outbound_uris: completeUris(uris, gateway.outbound_uris) }),
      }
      const updated_at = new Date()
      const next = {
        ...{ ...gateway, ...input, updated_at },
        is_approved: input.is_approved ?? this.staysApproved(gateway, input),
        ...(input.from_user !== undefined && { from_user_approved: isOperator() }),
        ...(credential !== undefined && { credential_username: credential?.username ?? null }),
      }
      checkEncryption(next)
      checkHeaders(next)
      checkCodecs(next)
      checkRegistration(next)
      if (input.from_user !== undefined) await this.checkShown(next)
      if (input.outbound_uris) await addresses.keep(tx, next)
      if (isOperator() && (input.is_approved !== undefined || input.outbound_uris))
        await addresses.approve(tx, id, next.is_approved ? updated_at : null)
      const { is_approved, from_user_approved } = next
      const changes = {
        ...{ ...input, is_approved, from_user_approved, state: await approval.stateOf(next, tx), updated_at },
        ...(credential !== undefined && this.sealed(id, credential)),
        registration_serial: serialAfter(gateway, input, credential !== undefined),
      }
      await gateways.update(workspace, id, changes)
      const saved = { ...gateway, ...changes }
      await registrations.keep(tx, saved)
      await states.notify(tx, gateway, saved)
      return { changed: saved, before: gateway, led }
    })
    await this.changed(changed, before.is_approved || changed.is_approved, led)
    return changed
  }

  /**
   * What a gateway that has been written means for others, and for the operator.
   * @param isApproved whether it is approved, or was before
   * @param before where it led
   */
  private async changed(
    gateway: OutboundGateway,
    isApproved: boolean,
    before: readonly GatewayAddress[],
  ): Promise<void> {
    const { states, addresses, written } = this.options
    states.alert(gateway)
    const now = await addresses.ofGateway(gateway.id)
    if (isApproved || before.some(({ used_at }) => used_at !== null))
      await states.reviewAround([...before, ...now], gateway.id)
    written(gateway.id)
  }

  /** Whether a change of its addresses leaves the approval: not for hosts, and reserved ports, that the operator has not seen. */
  private staysApproved(
    gateway: OutboundGateway,
    { outbound_uris: uris }: Partial<OutboundGateway>,
  ): boolean {
    if (!uris) return gateway.is_approved
    if (isOperator()) return true
    const isKnown = (uri: OutboundUri) =>
      gateway.outbound_uris.some(
        (known) =>
          known.uri.toLowerCase() === uri.uri.toLowerCase() &&
          (!this.options.approval.isReserved(uri) ||
            (known.port === uri.port && known.protocol === uri.protocol)),
      )
    return gateway.is_approved && uris.every(isKnown)
  }

  protected override async deleting(tx: EntityManager, { id }: OutboundGateway): Promise<Afterwards> {
    const { addresses, states, written } = this.options
    const led = await addresses.ofGateway(id, tx)
    return async () => {
      await states.reviewAround(led, id)
      written(id)
    }
  }

  /** Gateways, of whatever workspace, that lead only where calls may not be sent, each with a host. */
  async unreachable(): Promise<{ id: string; host: string }[]> {
    const { addresses, hops } = this.options
    return addresses.unreachable(
      ({ address, approved_at }) => approved_at !== null || hops.allows({ host: address }),
    )
  }

  /** The credentials that the carrier asks for, or null when it asks for none. */
  credentialOf(gateway: OutboundGateway): Credential | null {
    const { credential_username: username, credential_password: sealed } = gateway
    if (username === null || sealed === null) return null
    return { username, password: this.options.secrets.open(sealed, purposes.gateway(gateway.id)) }
  }

  /** Whether calls over a gateway may go out with its From. */
  async mayShow({ workspace_id: id, ...gateway }: OutboundGateway): Promise<boolean> {
    const { from_user: user, from_user_approved: isApproved, credential_username: username } = gateway
    return user === null || isApproved || mayShow({ id }, user, username, this.options.isVerified)
  }

  /** @throws 400 */
  private async checkShown(gateway: OutboundGateway): Promise<void> {
    if (await this.mayShow(gateway)) return
    throw invalidField(
      'from_user',
      'from_user must be no number but a verified one of this workspace; the operator may set any',
    )
  }

  /**
   * Writes a number of the workspace's country in E.164. A number that has its country code stays as it is written, as do
   * all other texts: the carrier's customers keep what they like here.
   */
  private async withCallerId<Input extends Pick<UpdateOutboundGateway, 'outbound_caller_id'>>(
    workspace: Owner,
    input: Input,
  ): Promise<Input> {
    const { outbound_caller_id: text } = input
    const digits = text ? await this.options.digitsOf(workspace, text) : null
    if (digits === null || text === digits || text === `+${digits}`) return input
    return { ...input, outbound_caller_id: `+${digits}` }
  }

  private async checkSigning(
    workspace: Owner,
    { is_signing }: Pick<UpdateOutboundGateway, 'is_signing'>,
  ): Promise<void> {
    if (!is_signing) return
    if (!this.options.stir.signs)
      throw invalidField(
        'is_signing',
        'is_signing needs a certificate to sign with: the operator has set none',
      )
    if (!(await this.options.maySign(workspace)))
      throw invalidField('is_signing', 'is_signing needs the operator’s leave: call_signing of the workspace')
  }

  private sealed(id: string, credential: Credential | null | undefined) {
    return {
      credential_username: credential?.username ?? null,
      credential_password: credential
        ? this.options.secrets.seal(credential.password, purposes.gateway(id))
        : null,
    }
  }
}

/** The keys are in the SIP messages (RFC 4568). @throws 400 naming each address where they could be read on the way */
function checkEncryption({
  media_encryption,
  outbound_uris,
}: Pick<OutboundGateway, 'media_encryption' | 'outbound_uris'>): void {
  if (media_encryption === 'none') return
  const problems = outbound_uris.flatMap(({ protocol, lookup }, index) => {
    if (protocol === 'tls' && lookup !== 'naptr') return []
    const [name, rule] = protocol === 'tls' ? ['lookup', 'srv or address'] : ['protocol', 'tls']
    const field = `outbound_uris.${index}.${name}`
    return [{ field, messages: [`${field} must be ${rule} where media_encryption is ${media_encryption}`] }]
  })
  if (problems.length > 0) throw new ValidationError(problems)
}

/** Any caller of the workspace's numbers from an address of its ACL could write any number. @throws 403 */
function checkForwardedCaller(
  { forwarded_caller: caller }: Pick<UpdateOutboundGateway, 'forwarded_caller'>,
  before?: OutboundGateway,
): void {
  if (caller === 'original' && before?.forwarded_caller !== 'original' && !isOperator())
    throw forbidden('forwarded_caller is set to original by the operator alone')
}

/** Telephone numbers of small countries have as many digits: their rates and limits would not hold. @throws 400 naming each */
function checkShortNumbers(
  { short_numbers: listed = [] }: Pick<UpdateOutboundGateway, 'short_numbers'>,
  before?: OutboundGateway,
): void {
  if (isOperator()) return
  const problems = listed.flatMap((digits, index) => {
    if (digits.length <= 6 || before?.short_numbers.includes(digits)) return []
    const field = `short_numbers.${index}`
    return [
      { field, messages: [`${field} must have at most six digits: the operator alone lists longer ones`] },
    ]
  })
  if (problems.length > 0) throw new ValidationError(problems)
}

function isOperator(): boolean {
  return currentOrigin().kind === 'operator'
}
