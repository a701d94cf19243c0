/** Keeps the states of gateways true while carriers are taken and freed, and announces changes. */
import type { Logger } from 'pino'
import type { EntityManager } from 'typeorm'
import type { AlertService } from '../alerts/alert.service.js'
import { actingAsPlatform } from '../../infrastructure/database/audit.js'
import type { Database } from '../../infrastructure/database/database.js'
import type { EventSink } from '../../infrastructure/database/events.js'
import { newId } from '../../infrastructure/database/ids.js'
import { WorkspaceTable } from '../../infrastructure/database/workspace-table.js'
import type { GatewayAddress } from './gateway-address.entity.js'
import type { GatewayAddresses } from './gateway-addresses.js'
import type { GatewayApproval } from './gateway-approval.js'
import type { GatewayRegistrations } from './gateway-registrations.js'
import { OutboundGateway } from './outbound-gateway.entity.js'

/** What the log says of a gateway to which calls are not sent. */
export const needsApproval =
  'it leads to a private network (see JACKFIELD_SIP_TRUNKS_ALLOWED_NETWORKS), a port below 1024 or a carrier of another workspace'

interface Parts {
  database: Database
  addresses: GatewayAddresses
  approval: GatewayApproval
  registrations: Pick<GatewayRegistrations, 'keep'>
  webhooks: EventSink
  alerts: Pick<AlertService, 'raiseLater'>
  log: Logger
}

export class GatewayStates {
  private readonly table: WorkspaceTable<OutboundGateway>

  constructor(private readonly parts: Parts) {
    this.table = new WorkspaceTable(parts.database, OutboundGateway, {
      audited: 'outbound_gateway',
      hidden: ['credential_password'],
    })
  }

  /** Looks at a gateway again whose names lead elsewhere, or whose carrier another workspace has taken. */
  async review(id: string): Promise<void> {
    const { database, approval } = this.parts
    const known = await database.platformTable(OutboundGateway).findOneBy({ id })
    if (!known || (await approval.stateOf(known)) === known.state) return
    const workspace = { id: known.workspace_id }
    const changed = await actingAsPlatform(async () =>
      database.transaction(async (tx) => {
        const table = this.table.in(tx)
        const gateway = await table.lock(workspace, id)
        const state = gateway && (await approval.stateOf(gateway, tx))
        if (!gateway || !state || state === gateway.state) return null
        await table.update(workspace, id, { state, updated_at: new Date() })
        await this.parts.registrations.keep(tx, { ...gateway, state })
        await this.notify(tx, gateway, { ...gateway, state })
        return { ...gateway, state }
      }),
    )
    if (changed) this.alert(changed)
  }

  /** Looks at all others again that lead where a gateway leads, or led. */
  async reviewAround(rows: readonly GatewayAddress[], gatewayId: string): Promise<void> {
    for (const id of await this.parts.addresses.neighbours(rows, gatewayId)) await this.review(id)
  }

  /** A call over a gateway was answered at one of its addresses: the carrier there is its workspace's from now on. */
  async used(gatewayId: string, at: Pick<GatewayAddress, 'host' | 'port' | 'address'>): Promise<void> {
    const { addresses } = this.parts
    if (await addresses.use(gatewayId, at))
      await this.reviewAround(await addresses.ofGateway(gatewayId), gatewayId)
  }

  /** Records `gateway.approved` for webhooks in the transaction that activates a gateway that waited for approval. */
  async notify(
    tx: EntityManager,
    before: Pick<OutboundGateway, 'state'>,
    { id, workspace_id, title, state, is_approved }: OutboundGateway,
  ): Promise<void> {
    if (before.state !== 'pending_approval' || state !== 'active') return
    const data = { gateway_id: id, title, state, is_approved }
    const event = { id: newId('evt'), event: 'gateway.approved', workspace_id, created_at: new Date(), data }
    await this.parts.webhooks.record(tx, [event])
  }

  /** Reports a gateway that waits for approval to the operator: in the log, and by one alert a day for each workspace. */
  alert({ id, workspace_id, title, state }: OutboundGateway): void {
    if (state !== 'pending_approval') return
    this.parts.log.warn(
      { event: 'gateway.approval_needed', gateway: id, workspace: workspace_id },
      `a gateway waits for approval: ${needsApproval}`,
    )
    const today = new Date()
    today.setUTCHours(0, 0, 0, 0)
    this.parts.alerts.raiseLater({
      ...{ workspace_id, kind: 'gateway_pending', period_began: today, details: {} },
      message: `A gateway waits for the operator's approval: ${title} (${id})`,
    })
  }
}
