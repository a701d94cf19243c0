import type { AgentPresenter } from '../agents/agent-presenter.js'
import { endpoint, visitor } from '../http/endpoint.js'
import { Login, LoggedIn, Refresh, Refreshed, Verified, Verify } from './auth.schema.js'
import type { AuthService } from './auth.service.js'

const tag = 'Sessions'

interface Services {
  auth: AuthService
  presenter: AgentPresenter
}

export function authEndpoints({ auth, presenter }: Services) {
  return [
    endpoint({
      method: 'POST',
      path: '/auth/login',
      summary: 'Log an agent in on a device',
      description: 'A session that the device had before ends.',
      tag,
      auth: visitor,
      tier: 'auth',
      body: Login,
      response: { 200: LoggedIn },
      errors: { 401: 'Wrong name or password, or an inactive agent' },
      handler: async ({ workspace, body }) => {
        const { agent, tokens } = await auth.logIn(workspace, body)
        const { username, domain, display_name } = await presenter.present(workspace, agent)
        return { tokens, info: { username, domain, display_name } }
      },
    }),
    endpoint({
      method: 'POST',
      path: '/auth/verify',
      summary: 'Show whose access token it is',
      tag,
      auth: visitor,
      tier: 'auth',
      body: Verify,
      response: { 200: Verified },
      errors: { 401: 'The token is missing, invalid or expired' },
      handler: async ({ workspace, body }) => {
        const { agent, expiresAt } = await auth.verify(workspace, body.token ?? '')
        const { username, domain, display_name, avatar } = await presenter.present(workspace, agent)
        return { username, domain, workspace_id: workspace.id, display_name, avatar, expires_at: expiresAt }
      },
    }),
    endpoint({
      method: 'POST',
      path: '/auth/refresh',
      summary: 'Exchange a refresh token for new tokens',
      description:
        'A refresh token is good for one use, on the device that logged in. One that comes again has been stolen: its session ends.',
      tag,
      auth: visitor,
      tier: 'auth',
      body: Refresh,
      response: { 200: Refreshed },
      errors: { 401: 'The token is invalid, expired, used, or of another device; or the agent is inactive' },
      handler: async ({ workspace, body }) => auth.refresh(workspace, body.refresh_token, body.device_id),
    }),
  ]
}
