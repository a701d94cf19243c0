/** Devices on which people are rung by push (contract, section Device push registration). */
import type { EntityManager } from 'typeorm'
import { deleteInBatches } from '../../infrastructure/database/batches.js'
import { type Database, isDuplicate, isMissingReference } from '../../infrastructure/database/database.js'
import { type Owner, WorkspaceTable } from '../../infrastructure/database/workspace-table.js'
import { invalidField, notFound } from '../../infrastructure/http/errors.js'
import type { ListRequest, Page } from '../../infrastructure/http/lists.js'
import {
  type DeviceOwner,
  type Use,
  dropOldest,
  keepToken,
  takeToken,
  whose,
  withoutToken,
} from './device-tokens.js'
import { DeviceRegistration } from './device-registration.entity.js'
import type { RegisterNotificationToken, RegisterVoipToken } from './device.schema.js'

/** Apps register at every launch: a device that has not done so for this time is not used any more. FCM forgets it then, too. */
const retentionDays = 270
const dayMs = 86_400_000

/** Concurrent registrations of one token are retried, as each must take it from the other. */
const maxTries = 3

export class DeviceService {
  private readonly table: WorkspaceTable<DeviceRegistration>
  private readonly listeners: ((workspaceId: string, agentIds: readonly string[]) => void)[] = []

  constructor(private readonly database: Database) {
    this.table = new WorkspaceTable(database, DeviceRegistration)
  }

  /** Subscribes to changes of agents' devices, which may change their presence; called after the commit. */
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
    return this.register(workspace, owner, input, { use: 'voip' })
  }

  /** @throws 400 */
  async registerNotificationToken(
    workspace: Owner,
    owner: DeviceOwner,
    { notification_push_provider, ...input }: RegisterNotificationToken,
  ): Promise<DeviceRegistration> {
    const provider = notification_push_provider ?? (input.platform === 'ios' ? 'apns' : 'fcm')
    if (provider === 'apns' && input.platform === 'android') {
      throw invalidField(
        'notification_push_provider',
        'notification_push_provider must be fcm for the platform android',
      )
    }
    return this.register(workspace, owner, input, { use: 'notification', provider })
  }

  /** @throws 404 */
  async delete(workspace: Owner, owner: DeviceOwner, deviceId: string): Promise<DeviceRegistration> {
    const device = await this.unregister(workspace, owner, deviceId)
    if (!device) throw notFound(`Device ${deviceId} not found`)
    return device
  }

  /** Takes a device from a person who logs out on it; null where there is none. */
  async unregister(
    workspace: Owner,
    owner: DeviceOwner,
    deviceId: string,
  ): Promise<DeviceRegistration | null> {
    const device = await this.table.findBy(workspace, { ...whose(owner), device_id: deviceId })
    if (!device) return null
    await this.table.delete(workspace, device.id)
    this.notify(workspace.id, [device])
    return device
  }

  /** Takes the devices of log-ins that end; call {@link changed} once that is committed. */
  async unregisterAll(
    tx: EntityManager,
    logins: readonly { workspace_id: string; agent_id: string; device_id: string }[],
  ): Promise<void> {
    for (const { workspace_id, agent_id, device_id } of logins) {
      await tx.delete(DeviceRegistration, { workspace_id, agent_id, device_id })
    }
  }

  /** Publishes that an agent's devices may have changed. */
  changed(workspaceId: string, agentId: string): void {
    for (const listener of this.listeners) listener(workspaceId, [agentId])
  }

  /** Takes a token that its push service knows no more from the device that it was registered for. */
  async forget(
    { id, workspace_id }: Pick<DeviceRegistration, 'id' | 'workspace_id'>,
    token: string,
  ): Promise<void> {
    const device = await this.database.transaction(async (tx) => {
      const devices = tx.getRepository(DeviceRegistration)
      const device = await devices.findOne({
        where: { id, workspace_id },
        lock: { mode: 'pessimistic_write' },
      })
      if (device) await withoutToken(devices, device, token)
      return device
    })
    if (device) this.notify(workspace_id, [device])
  }

  /** Forgets devices that are not used any more. */
  async sweep(): Promise<void> {
    const before = new Date(Date.now() - retentionDays * dayMs)
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
          const losers = await takeToken(tx, workspace, owner, input)
          const device = await keepToken(tx, workspace, owner, { ...input, api_key_sid }, use)
          await dropOldest(tx, workspace, owner)
          return { device, losers }
        })
        this.notify(workspace.id, [device, ...losers])
        return device
      } catch (error) {
        if (isMissingReference(error)) {
          throw invalidField('api_key_sid', 'api_key_sid is not an API key of this workspace')
        }
        if (!isDuplicate(error) || tries >= maxTries) throw error
      }
    }
  }

  private notify(workspaceId: string, devices: readonly DeviceRegistration[]): void {
    const agents = [...new Set(devices.map(({ agent_id }) => agent_id))].filter((id) => id !== null)
    if (agents.length > 0) for (const listener of this.listeners) listener(workspaceId, agents)
  }
}

/** @throws 400 where a client names another key than that of its JWT */
function keyOf(owner: DeviceOwner, named: string | undefined): string | null {
  if (owner.kind === 'agent') return named ?? null
  if (named !== undefined && named !== owner.key_sid) {
    throw invalidField('api_key_sid', 'api_key_sid must be the iss of the client JWT')
  }
  return owner.key_sid
}
