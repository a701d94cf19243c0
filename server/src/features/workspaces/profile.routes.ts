import { type ManagingActor, apiKey, endpoint, keyRoleOf } from '../../infrastructure/http/endpoint.js'
import { UpdateProfile, profileShape } from './profile.schema.js'
import type { Profile, ProfileService } from './profile.service.js'

const tag = 'Workspace'

export function profileEndpoints({ profiles }: { profiles: ProfileService }) {
  const shape = profileShape(profiles.limited)
  return [
    endpoint({
      method: 'GET',
      path: '/profile',
      summary: 'Show the workspace, its credit and its limits',
      tag,
      auth: apiKey('any'),
      response: { 200: shape },
      handler: async ({ workspace, actor }) => present(await profiles.get(workspace), actor),
    }),
    endpoint({
      method: 'PATCH',
      path: '/profile',
      summary: 'Change the workspace’s title, country or settings',
      tag,
      auth: apiKey('full', ['owner']),
      body: UpdateProfile,
      response: { 200: shape },
      handler: async ({ workspace, body, actor }) => present(await profiles.update(workspace, body), actor),
    }),
  ]
}

function present(profile: Profile, actor: ManagingActor) {
  return {
    ...profile,
    role: keyRoleOf(actor),
    created_at: profile.created_at.toISOString(),
    updated_at: profile.updated_at.toISOString(),
  }
}
