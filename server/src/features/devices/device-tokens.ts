/** How tokens come to devices and leave them, within a transaction. */
import { type EntityManager, type FindOptionsWhere, LessThan, type Repository } from 'typeorm'
import { newId } from '../../infrastructure/database/ids.js'
import type { Owner } from '../../infrastructure/database/workspace-table.js'
import { DeviceRegistration } from './device-registration.entity.js'
import type { RegisterVoipToken } from './device.schema.js'

/** Whose devices are spoken of. */
export type DeviceOwner =
  | { readonly kind: 'agent'; readonly id: string }
  | { readonly kind: 'client'; readonly sub: string; readonly key_sid: string }

/** Of more devices of a person, the one that was registered longest ago is removed. */
export const maxDevices = 20

/** What a token is for; one for notices only has a provider. */
export type Use = { use: 'voip' } | { use: 'notification'; provider: 'apns' | 'fcm' }

/** A token belongs to one app on one device: it moves from the phone's previous user to the one who registers it now. */
export async function takeToken(
  tx: EntityManager,
  workspace: Owner,
  owner: DeviceOwner,
  { push_token, device_id }: RegisterVoipToken,
): Promise<DeviceRegistration[]> {
  const devices = tx.getRepository(DeviceRegistration)
  // One after the other, as each has an index of its own: no other rows are locked.
  const holding = async (token: FindOptionsWhere<DeviceRegistration>) =>
    devices.find({ where: { workspace_id: workspace.id, ...token }, lock: { mode: 'pessimistic_write' } })
  const ringing = await holding({ voip_token: push_token })
  const notified = await holding({ notification_token: push_token })
  const holders = new Map([...ringing, ...notified].map((one) => [one.id, one])).values()
  const others = [...holders].filter((holder) => !belongsTo(holder, owner) || holder.device_id !== device_id)
  for (const other of others) await withoutToken(devices, other, push_token)
  return others
}

/** Removes a token from a device, and the device with its last token. */
export async function withoutToken(
  devices: Repository<DeviceRegistration>,
  { id, voip_token, notification_token, notification_provider }: DeviceRegistration,
  token: string,
): Promise<void> {
  const left = {
    voip_token: voip_token === token ? null : voip_token,
    ...(notification_token === token
      ? { notification_token: null, notification_provider: null }
      : { notification_token, notification_provider }),
  }
  if (left.voip_token === null && left.notification_token === null) await devices.delete({ id })
  else await devices.update({ id }, left)
}

export async function keepToken(
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

export async function dropOldest(tx: EntityManager, workspace: Owner, owner: DeviceOwner): Promise<void> {
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

function tokensOf({ voip_token, notification_token, notification_provider }: DeviceRegistration) {
  return { voip_token, notification_token, notification_provider }
}

export function whose(owner: DeviceOwner): { agent_id: string } | { client_sub: string } {
  return owner.kind === 'agent' ? { agent_id: owner.id } : { client_sub: owner.sub }
}

function belongsTo({ agent_id, client_sub }: DeviceRegistration, owner: DeviceOwner): boolean {
  return owner.kind === 'agent' ? agent_id === owner.id : client_sub === owner.sub
}
