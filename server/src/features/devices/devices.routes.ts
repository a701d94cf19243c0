import { agentOrClient, endpoint } from '../../infrastructure/http/endpoint.js'
import { listAnswer, listOf, listQuery } from '../../infrastructure/http/lists.js'
import type { DeviceRegistration } from './device-registration.entity.js'
import { DeviceShape, RegisterNotificationToken, RegisterVoipToken, deviceParams } from './device.schema.js'
import type { DeviceService } from './device.service.js'
import { maxDevices } from './device-tokens.js'

const tag = 'Devices'

export function deviceEndpoints({ devices }: { devices: DeviceService }) {
  return [
    endpoint({
      method: 'GET',
      path: '/me/devices',
      summary: 'List the devices that are woken for your calls',
      tag,
      auth: agentOrClient,
      query: listQuery({ limit: maxDevices, sort: ['updated_at', 'created_at'] }),
      response: { 200: listOf(DeviceShape) },
      handler: async ({ workspace, actor, query }) =>
        listAnswer(query, await devices.list(workspace, actor, query), present),
    }),
    endpoint({
      method: 'POST',
      path: '/me/devices/voip-push-token',
      summary: 'Register the push token that rings a device',
      description: `Call it at every launch of the app and whenever its token changes. A token that another person had registered moves to the caller; of more than ${maxDevices} devices the oldest is dropped.`,
      tag,
      auth: agentOrClient,
      body: RegisterVoipToken,
      response: { 200: DeviceShape },
      handler: async ({ workspace, actor, body }) =>
        present(await devices.registerVoipToken(workspace, actor, body)),
    }),
    endpoint({
      method: 'POST',
      path: '/me/devices/notification-push-token',
      summary: 'Register the push token for notices that a call has stopped ringing',
      description: 'An Android app without one gets them by its VoIP push token.',
      tag,
      auth: agentOrClient,
      body: RegisterNotificationToken,
      response: { 200: DeviceShape },
      handler: async ({ workspace, actor, body }) =>
        present(await devices.registerNotificationToken(workspace, actor, body)),
    }),
    endpoint({
      method: 'DELETE',
      path: '/me/devices/:device_id',
      summary: 'Unregister a device',
      tag,
      auth: agentOrClient,
      params: deviceParams,
      response: { 200: DeviceShape },
      errors: { 404: 'No such device of yours' },
      handler: async ({ workspace, actor, params }) =>
        present(await devices.delete(workspace, actor, params.device_id)),
    }),
  ]
}

function present(device: DeviceRegistration) {
  const { id, device_id, platform, api_key_sid, os_version, app_version, device_model } = device
  return {
    ...{ id, device_id, platform, api_key_sid },
    voip_push: device.voip_token !== null,
    notification_push: device.notification_token !== null,
    notification_push_provider: device.notification_provider,
    ...{ os_version, app_version, device_model },
    created_at: device.created_at.toISOString(),
    updated_at: device.updated_at.toISOString(),
  }
}
