/** Outbound gateways. */
import { currentOrigin } from '../database/audit.js'
import type { Database } from '../database/database.js'
import { newId } from '../database/ids.js'
import type { SecretBox } from '../database/secrets.js'
import { type Owner, WorkspaceTable } from '../database/workspace-table.js'
import { purposes } from '../database/sealed-columns.js'
import { ValidationError, forbidden, invalidField, notFound } from '../http/errors.js'
import type { ListRequest, Page } from '../http/lists.js'
import { type NextHops, lowestPort } from '../http-client/next-hops.js'
import type { InUse } from '../workspaces/in-use.js'
import { checkLimit } from '../workspaces/limits.js'
import type { Stir } from '../stir/stir.js'
import type { GatewayAddresses } from './gateway-addresses.js'
import { isHost } from './hosts.js'
import { OutboundGateway, type OutboundUri } from './outbound-gateway.entity.js'
import type { CreateOutboundGateway, UpdateOutboundGateway } from './sip-trunk.schema.js'

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
  maySign: (workspace: Owner) => Promise<boolean>
  /** Where carriers may be. */
  hops: Pick<NextHops, 'allows'>
  addresses: GatewayAddresses
  /** Told when there may be names to look up. */
  written: () => void
}

export class OutboundGatewayService {
  private readonly table: WorkspaceTable<OutboundGateway>

  constructor(private readonly options: Options) {
    const { database } = options
    this.table = new WorkspaceTable(database, OutboundGateway, {
      audited: 'outbound_gateway',
      hidden: ['credential_password'],
      fields: { credential_username: 'credential.username', credential_password: 'credential.password' },
    })
  }

  async list(workspace: Owner, request: ListRequest): Promise<Page<OutboundGateway>> {
    return this.table.list(workspace, { ...request, searched: ['title'] })
  }

  async find(workspace: Owner, id: string): Promise<OutboundGateway | null> {
    return this.table.find(workspace, id)
  }

  /** @throws 404 */
  async get(workspace: Owner, id: string): Promise<OutboundGateway> {
    const gateway = await this.table.find(workspace, id)
    if (!gateway) throw notFound(`Outbound gateway ${id} not found`)
    return gateway
  }

  /**
   * @throws 403 at the limit, or where it leads to a carrier of another workspace, which only the operator may; 400 addresses
   * that may not be called, `is_signing` without a certificate to sign with or the operator's leave
   */
  async create(workspace: Owner, { credential, ...input }: CreateOutboundGateway): Promise<OutboundGateway> {
    this.checkUris(input.outbound_uris)
    await this.checkSigning(workspace, input)
    const is_approved = isOperator()
    if (!is_approved) await this.checkCarriers(workspace, input.outbound_uris)
    const now = new Date()
    const id = newId('gw')
    const row = {
      id,
      workspace_id: workspace.id,
      ...input,
      ...this.sealed(id, credential),
      is_approved,
      created_at: now,
      updated_at: now,
    }
    const { database, limit: max, addresses, written } = this.options
    const made = await database.transaction(async (tx) => {
      await checkLimit(tx, this.table, workspace, { max, what: 'outbound gateways' })
      const gateway = await this.table.in(tx).insert(row)
      await addresses.keep(tx, gateway)
      return gateway
    })
    written()
    return made
  }

  /** A credential of null takes it away. @throws 404, 403 and 400 as {@link create}, 403 `is_approved` of whoever but the operator */
  async update(
    workspace: Owner,
    id: string,
    { credential, ...input }: UpdateOutboundGateway,
  ): Promise<OutboundGateway> {
    if (input.is_approved !== undefined && !isOperator())
      throw forbidden('is_approved is the operator’s to say')
    if (input.outbound_uris) this.checkUris(input.outbound_uris)
    await this.checkSigning(workspace, input)
    const { database, addresses, written } = this.options
    const changed = await database.transaction(async (tx) => {
      const gateways = this.table.in(tx)
      const gateway = await gateways.lock(workspace, id)
      if (!gateway) throw notFound(`Outbound gateway ${id} not found`)
      const is_approved = input.is_approved ?? (await this.approvalOf(workspace, gateway, input))
      const changes = {
        ...input,
        is_approved,
        ...(credential !== undefined && this.sealed(id, credential)),
        updated_at: new Date(),
      }
      await gateways.update(workspace, id, changes)
      if (input.outbound_uris) await addresses.keep(tx, { ...gateway, ...changes })
      return { ...gateway, ...changes }
    })
    written()
    return changed
  }

  /** What of its approval a change of its addresses leaves: none for hosts that the operator has not seen. */
  private async approvalOf(
    workspace: Owner,
    gateway: OutboundGateway,
    { outbound_uris: uris }: UpdateOutboundGateway,
  ): Promise<boolean> {
    const known = gateway.outbound_uris.map(({ uri }) => uri.toLowerCase())
    if (!uris?.some(({ uri }) => !known.includes(uri.toLowerCase()))) return gateway.is_approved
    if (isOperator()) return true
    await this.checkCarriers(workspace, uris)
    return false
  }

  /** @throws 403 */
  private async checkCarriers(workspace: Owner, uris: readonly OutboundUri[]): Promise<void> {
    const places = uris.map(({ uri: host, port }) => ({ host, port }))
    const index = await this.options.addresses.othersFirst(workspace, places)
    if (index !== null)
      throw forbidden(
        `outbound_uris.${index}.uri leads to a carrier of another workspace: only the operator may make such a gateway`,
      )
  }

  /** @throws 404 unknown, 409 in use */
  async delete(workspace: Owner, id: string): Promise<OutboundGateway> {
    const gateway = await this.get(workspace, id)
    await this.options.inUse.delete(
      'outbound_gateway',
      workspace,
      id,
      `The outbound gateway ${gateway.title}`,
      async () => this.table.delete(workspace, id),
    )
    return gateway
  }

  /** Gateways, of whatever workspace, that lead only where calls may not be sent, each with a host. */
  async unreachable(): Promise<{ id: string; host: string }[]> {
    const { addresses, hops } = this.options
    return addresses.unreachable((address) => hops.allows({ host: address }))
  }

  /** The credentials that the carrier asks for, or null when it asks for none. */
  credentialOf(gateway: OutboundGateway): Credential | null {
    const { credential_username: username, credential_password: sealed } = gateway
    if (username === null || sealed === null) return null
    return { username, password: this.options.secrets.open(sealed, purposes.gateway(gateway.id)) }
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

  /** @throws 400 naming each address that may not be called */
  private checkUris(uris: readonly OutboundUri[]): void {
    const problems = uris.flatMap(({ uri, port, protocol }, index) => {
      const broken = (field: string, rule: string) => {
        const named = `outbound_uris.${index}.${field}`
        return [{ field: named, messages: [`${named} must ${rule}`] }]
      }
      if (!isHost(uri)) return broken('uri', 'be an IP address or a host name')
      if (!this.options.hops.allows({ host: uri })) return broken('uri', publicRule)
      if (port < lowestPort && protocol !== 'tls')
        return broken('port', `be ${lowestPort} or more over udp and tcp`)
      return []
    })
    if (problems.length > 0) throw new ValidationError(problems)
  }
}

const publicRule =
  'be a public address: the operator allows private networks with JACKFIELD_SIP_TRUNKS_ALLOWED_NETWORKS'

function isOperator(): boolean {
  return currentOrigin().kind === 'operator'
}
