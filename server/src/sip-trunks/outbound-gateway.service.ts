/** Outbound gateways. */
import type { Database } from '../database/database.js'
import { newId } from '../database/ids.js'
import type { SecretBox } from '../database/secrets.js'
import { type Owner, WorkspaceTable } from '../database/workspace-table.js'
import { purposes } from '../database/sealed-columns.js'
import { ValidationError, invalidField, notFound } from '../http/errors.js'
import type { ListRequest, Page } from '../http/lists.js'
import type { InUse } from '../workspaces/in-use.js'
import { checkLimit } from '../workspaces/limits.js'
import type { Stir } from '../stir/stir.js'
import { isHost } from './hosts.js'
import { OutboundGateway, type OutboundUri } from './outbound-gateway.entity.js'
import type { CreateOutboundGateway, UpdateOutboundGateway } from './sip-trunk.schema.js'

/** SIP digest credentials in clear. */
export interface Credential {
  username: string
  password: string
}

export class OutboundGatewayService {
  private readonly table: WorkspaceTable<OutboundGateway>

  constructor(
    private readonly database: Database,
    private readonly secrets: SecretBox,
    private readonly inUse: InUse,
    private readonly limit: number,
    private readonly stir: Pick<Stir, 'signs'>,
    private readonly maySign: (workspace: Owner) => Promise<boolean>,
  ) {
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

  /** @throws 403 at the limit, 400 `is_signing` without a certificate to sign with or the operator's leave */
  async create(workspace: Owner, { credential, ...input }: CreateOutboundGateway): Promise<OutboundGateway> {
    checkUris(input.outbound_uris)
    await this.checkSigning(workspace, input)
    const now = new Date()
    const id = newId('gw')
    const row = {
      id,
      workspace_id: workspace.id,
      ...input,
      ...this.sealed(id, credential),
      created_at: now,
      updated_at: now,
    }
    return this.database.transaction(async (tx) => {
      await checkLimit(tx, this.table, workspace, { max: this.limit, what: 'outbound gateways' })
      return this.table.in(tx).insert(row)
    })
  }

  /** A credential of null takes it away. @throws 404, 400 as {@link create} */
  async update(
    workspace: Owner,
    id: string,
    { credential, ...input }: UpdateOutboundGateway,
  ): Promise<OutboundGateway> {
    if (input.outbound_uris) checkUris(input.outbound_uris)
    await this.checkSigning(workspace, input)
    return this.database.transaction(async (tx) => {
      const gateways = this.table.in(tx)
      const gateway = await gateways.lock(workspace, id)
      if (!gateway) throw notFound(`Outbound gateway ${id} not found`)
      const changes = {
        ...input,
        ...(credential !== undefined && this.sealed(id, credential)),
        updated_at: new Date(),
      }
      await gateways.update(workspace, id, changes)
      return { ...gateway, ...changes }
    })
  }

  /** @throws 404 unknown, 409 in use */
  async delete(workspace: Owner, id: string): Promise<OutboundGateway> {
    const gateway = await this.get(workspace, id)
    await this.inUse.delete(
      'outbound_gateway',
      workspace,
      id,
      `The outbound gateway ${gateway.title}`,
      async () => this.table.delete(workspace, id),
    )
    return gateway
  }

  /** The credentials that the carrier asks for, or null when it asks for none. */
  credentialOf(gateway: OutboundGateway): Credential | null {
    const { credential_username: username, credential_password: sealed } = gateway
    if (username === null || sealed === null) return null
    return { username, password: this.secrets.open(sealed, purposes.gateway(gateway.id)) }
  }

  private async checkSigning(
    workspace: Owner,
    { is_signing }: Pick<UpdateOutboundGateway, 'is_signing'>,
  ): Promise<void> {
    if (!is_signing) return
    if (!this.stir.signs)
      throw invalidField(
        'is_signing',
        'is_signing needs a certificate to sign with: the operator has set none',
      )
    if (!(await this.maySign(workspace)))
      throw invalidField('is_signing', 'is_signing needs the operator’s leave: call_signing of the workspace')
  }

  private sealed(id: string, credential: Credential | null | undefined) {
    return {
      credential_username: credential?.username ?? null,
      credential_password: credential ? this.secrets.seal(credential.password, purposes.gateway(id)) : null,
    }
  }
}

function checkUris(uris: readonly OutboundUri[]): void {
  const problems = uris.flatMap(({ uri }, index) => {
    const field = `outbound_uris.${index}.uri`
    return isHost(uri) ? [] : [{ field, messages: [`${field} must be an IP address or a host name`] }]
  })
  if (problems.length > 0) throw new ValidationError(problems)
}
