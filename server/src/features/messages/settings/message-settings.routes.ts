import { apiKey, endpoint } from '../../../infrastructure/http/endpoint.js'
import { MessageSettingsShape, UpdateMessageSettings } from './message-settings.schema.js'
import type { MessageSettingsService } from './message-settings.js'

const tag = 'Messages'

export function messageSettingsEndpoints({ messageSettings }: { messageSettings: MessageSettingsService }) {
  return [
    endpoint({
      method: 'GET',
      path: '/message-settings',
      summary: 'Show the settings of messages',
      tag,
      auth: apiKey('any'),
      response: { 200: MessageSettingsShape },
      handler: async ({ workspace }) => messageSettings.get(workspace),
    }),
    endpoint({
      method: 'PATCH',
      path: '/message-settings',
      summary: 'Change the settings of messages',
      description: 'Own words to opt out by and own answers hold for all numbers of the workspace.',
      tag,
      auth: apiKey('full'),
      body: UpdateMessageSettings,
      response: { 200: MessageSettingsShape },
      handler: async ({ workspace, body }) => messageSettings.update(workspace, body),
    }),
  ]
}
