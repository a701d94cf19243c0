/** Devices on which people are rung by push (contract, section Device push registration). */
import { type EntityManager, IsNull, LessThan } from 'typeorm'
import { deleteInBatches } from '../database/batches.js'
import { type Database, isDuplicate, isMissingReference } from '../database/database.js'
import { newId } from '../database/ids.js'
import { type Owner, WorkspaceTable } from '../database/workspace-table.js'
import { invalidField, notFound } from '../http/errors.js'
import type { ListRequest, Page } from '../http/lists.js'
import { DeviceRegistration } from './device-registration.entity.js'
import type { RegisterNotificationToken, RegisterVoipToken } from './device.schema.js'

/** Whose devices are spoken of. */
export type DeviceOwner =
  | { readonly kind: 'agent'; readonly id: string }
  | { readonly kind: 'client'; readonly sub: string; readonly key_sid: string }

/** A person with more devices loses the one that was registered longest ago. */
export const maxDevices = 20

/** Apps register at every launch: a device that has not for so long is not used any more. FCM forgets it then too. */
const keptDays = 270
const dayMs = 86_400_000

/** Registrations of one token that race are tried again, as each must take it from the other. */
const maxTries = 3

/** What a token is for; one that only tells has a provider. */
type Use = { use: 'voip' } | { use: 'notification'; provider: 'apns' | 'fcm' }

export class DeviceService {
  private readonly table: WorkspaceTable<DeviceRegistration>
  private readonly listeners: ((workspaceId: string, agentIds: readonly string[]) => void)[] = []

  constructor(private readonly database: Database) {
    this.table = new WorkspaceTable(database, DeviceRegistration)
  }

  /** Tells of agents whose devices have changed, and so may be their presence; after the change is committed. */
  onChange(listener: (workspaceId: string, agentIds: readonly string[]) => void): void {
    this.listeners.push(listener)
  }

  async list(workspace: Owner, owner: DeviceOwner, request: ListRequest): Promise<Page<DeviceRegistration>> {
    return this.table.list(workspace, { ...request, where: whose(owner) })
  }

  /** @throws 400 */
  async registerVoipToken(
    workspace: Owner,
    owner: DeviceOwner,
    input: RegisterVoipToken,
  ): Promise<DeviceRegistration> {
    if (input.platform === 'ios') checkApnsToken(input.push_token)
    return this.register(workspace, owner, input, { use: 'voip' })
  }

  /** @throws 400 */
  async registerNotificationToken(
    workspace: Owner,
    owner: DeviceOwner,
    { notification_push_provider, ...input }: RegisterNotificationToken,
  ): Promise<DeviceRegistration> {
    const provider = notification_push_provider ?? (input.platform === 'ios' ? 'apns' : 'fcm')
    if (provider === 'apns') {
      if (input.platform === 'android') {
        throw invalidField(
          'notification_push_provider',
          'notification_push_provider must be fcm for the platform android',
        )
      }
      checkApnsToken(input.push_token)
    }
    return this.register(workspace, owner, input, { use: 'notification', provider })
  }

  /** @throws 404 */
  async delete(workspace: Owner, owner: DeviceOwner, deviceId: string): Promise<DeviceRegistration> {
    const device = await this.table.findBy(workspace, { ...whose(owner), device_id: deviceId })
    if (!device) throw notFound(`Device ${deviceId} not found`)
    await this.table.delete(workspace, device.id)
    this.tell(workspace.id, [device])
    return device
  }

  /** Takes a device from a person who logs out on it; nothing happens where there is none. */
  async unregister(workspace: Owner, owner: DeviceOwner, deviceId: string): Promise<void> {
    const device = await this.table.findBy(workspace, { ...whose(owner), device_id: deviceId })
    if (!device) return
    await this.table.delete(workspace, device.id)
    this.tell(workspace.id, [device])
  }

  /** Takes a token that its push service knows no more from the device that it was registered for. */
  async forget(
    { id, workspace_id }: Pick<DeviceRegistration, 'id' | 'workspace_id'>,
    token: string,
  ): Promise<void> {
    const devices = this.database.platformTable(DeviceRegistration)
    // A token that the app has registered meanwhile stays.
    await devices.update({ id, workspace_id, voip_token: token }, { voip_token: null })
    await devices.update(
      { id, workspace_id, notification_token: token },
      { notification_token: null, notification_provider: null },
    )
    const device = await devices.findOneBy({ id, workspace_id })
    await devices.delete({ id, workspace_id, voip_token: IsNull(), notification_token: IsNull() })
    if (device) this.tell(workspace_id, [device])
  }

  /** Forgets devices that are not used any more. */
  async sweep(): Promise<void> {
    const before = new Date(Date.now() - keptDays * dayMs)
    await deleteInBatches(this.database, 'device_registrations', 'updated_at < ?', [before])
  }

  private async register(
    workspace: Owner,
    owner: DeviceOwner,
    input: RegisterVoipToken,
    use: Use,
  ): Promise<DeviceRegistration> {
    const api_key_sid = keyOf(owner, input.api_key_sid)
    for (let tries = 1; ; tries++) {
      try {
        const { device, losers } = await this.database.transaction(async (tx) => {
          const losers = await this.takeToken(tx, workspace, owner, input)
          const device = await this.keep(tx, workspace, owner, { ...input, api_key_sid }, use)
          await this.dropOldest(tx, workspace, owner)
          return { device, losers }
        })
        this.tell(workspace.id, [device, ...losers])
        return device
      } catch (error) {
        if (isMissingReference(error)) {
          throw invalidField('api_key_sid', 'api_key_sid is not an API key of this workspace')
        }
        if (!isDuplicate(error) || tries >= maxTries) throw error
      }
    }
  }

  /** A token belongs to one app on one device: whoever registers it now has it from whoever used the phone before. */
  private async takeToken(
    tx: EntityManager,
    workspace: Owner,
    owner: DeviceOwner,
    { push_token, device_id }: RegisterVoipToken,
  ): Promise<DeviceRegistration[]> {
    const devices = tx.getRepository(DeviceRegistration)
    const holders = await devices.find({
      where: [
        { workspace_id: workspace.id, voip_token: push_token },
        { workspace_id: workspace.id, notification_token: push_token },
      ],
      lock: { mode: 'pessimistic_write' },
    })
    const others = holders.filter((holder) => !belongsTo(holder, owner) || holder.device_id !== device_id)
    for (const { id, voip_token, notification_token, notification_provider } of others) {
      const left = {
        voip_token: voip_token === push_token ? null : voip_token,
        ...(notification_token === push_token
          ? { notification_token: null, notification_provider: null }
          : { notification_token, notification_provider }),
      }
      if (left.voip_token === null && left.notification_token === null) await devices.delete({ id })
      else await devices.update({ id }, left)
    }
    return others
  }

  private async keep(
    tx: EntityManager,
    workspace: Owner,
    owner: DeviceOwner,
    input: Omit<RegisterVoipToken, 'api_key_sid'> & { api_key_sid: string | null },
    use: Use,
  ): Promise<DeviceRegistration> {
    const { push_token, device_id, platform, api_key_sid, os_version, app_version, device_model } = input
    const devices = tx.getRepository(DeviceRegistration)
    const now = new Date()
    const held = await devices.findOne({
      where: { workspace_id: workspace.id, ...whose(owner), device_id },
      lock: { mode: 'pessimistic_write' },
    })
    // What an app of the other platform registered under the same name is gone.
    const kept = held?.platform === platform ? held : null
    const device: DeviceRegistration = {
      ...{ id: held?.id ?? newId('dev'), workspace_id: workspace.id },
      ...{ agent_id: null, client_sub: null, ...whose(owner) },
      ...{ device_id, platform, api_key_sid },
      ...{ voip_token: null, notification_token: null, notification_provider: null },
      ...(kept && tokensOf(kept)),
      os_version: os_version ?? kept?.os_version ?? null,
      app_version: app_version ?? kept?.app_version ?? null,
      device_model: device_model ?? kept?.device_model ?? null,
      ...{ created_at: held?.created_at ?? now, updated_at: now },
      ...(use.use === 'notification'
        ? { notification_token: push_token, notification_provider: use.provider }
        : { voip_token: push_token }),
    }
    if (held) await devices.update({ id: held.id }, device)
    else await devices.insert(device)
    return device
  }

  private async dropOldest(tx: EntityManager, workspace: Owner, owner: DeviceOwner): Promise<void> {
    const devices = tx.getRepository(DeviceRegistration)
    const [last] = await devices.find({
      where: { workspace_id: workspace.id, ...whose(owner) },
      order: { updated_at: 'DESC', id: 'DESC' },
      skip: maxDevices - 1,
      take: 1,
    })
    if (!last) return
    const { updated_at } = last
    await devices.delete({ workspace_id: workspace.id, ...whose(owner), updated_at: LessThan(updated_at) })
  }

  private tell(workspaceId: string, devices: readonly DeviceRegistration[]): void {
    const agents = [...new Set(devices.map(({ agent_id }) => agent_id))].filter((id) => id !== null)
    if (agents.length > 0) for (const listener of this.listeners) listener(workspaceId, agents)
  }
}

function tokensOf({ voip_token, notification_token, notification_provider }: DeviceRegistration) {
  return { voip_token, notification_token, notification_provider }
}

function whose(owner: DeviceOwner): { agent_id: string } | { client_sub: string } {
  return owner.kind === 'agent' ? { agent_id: owner.id } : { client_sub: owner.sub }
}

function belongsTo({ agent_id, client_sub }: DeviceRegistration, owner: DeviceOwner): boolean {
  return owner.kind === 'agent' ? agent_id === owner.id : client_sub === owner.sub
}

/** @throws 400 where a client names another key than that of its JWT */
function keyOf(owner: DeviceOwner, named: string | undefined): string | null {
  if (owner.kind === 'agent') return named ?? null
  if (named !== undefined && named !== owner.key_sid) {
    throw invalidField('api_key_sid', 'api_key_sid must be the iss of the client JWT')
  }
  return owner.key_sid
}

/** It becomes part of a path at Apple's. */
function checkApnsToken(token: string): void {
  if (/^[0-9a-f]{64,200}$/i.test(token)) return
  throw invalidField('push_token', 'push_token must be 64 to 200 hexadecimal digits, as APNs tokens are')
}
