import type { AgentPresenter } from '../agents/agent.presenter.js'
import { endpoint, visitor } from '../../infrastructure/http/endpoint.js'
import {
  AskedForReset,
  CheckUsername,
  ForgotPassword,
  LoggedIn,
  Login,
  MaskedEmail,
  Refresh,
  Refreshed,
  ResetPassword,
  Confirmation,
  Verified,
  Verify,
} from './auth.schema.js'
import type { AuthService } from './auth.service.js'
import { unverifiedClaims } from '../../infrastructure/tokens/tokens.js'
import type { PasswordResets } from './password-resets.js'

const tag = 'Sessions'

interface Services {
  auth: AuthService
  resets: PasswordResets
  presenter: AgentPresenter
}

/** The answer to every request for a reset, whether or not there is such an agent. */
const asked = 'If the username and the e-mail are those of an active agent, a mail with a link is on its way.'

export function authEndpoints({ auth, resets, presenter }: Services) {
  return [
    endpoint({
      method: 'POST',
      path: '/auth/login',
      summary: 'Log an agent in on a device',
      description:
        'A session that the device had before ends. After 20 wrong passwords for a username from one address within 15 minutes its log-ins from there are refused with 429 until these are over; sessions go on, and so do log-ins on devices on which the agent has logged in before. It is counted by address and username, and by address and device on a known device.',
      tag,
      auth: visitor,
      tier: 'auth',
      countedBy: async (workspace, { username, device_id }) =>
        auth.countedBy(workspace, textOf(username), textOf(device_id)),
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
      countedBy: async (_, { token }) => sessionIn(textOf(token)),
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
        'A refresh token is good for one use, on the device that logged in. A token that comes again has been stolen: its session ends. A use that is named by an Idempotency-Key may be repeated with it for a minute, as when the answer was lost.',
      tag,
      auth: visitor,
      tier: 'auth',
      countedBy: async (_, { refresh_token }) => sessionIn(textOf(refresh_token)),
      idempotent: true,
      body: Refresh,
      response: { 200: Refreshed },
      errors: { 401: 'The token is invalid, expired, used, or of another device; or the agent is inactive' },
      handler: async ({ workspace, body, idempotencyKey }) => auth.refresh(workspace, body, idempotencyKey),
    }),
    endpoint({
      method: 'POST',
      path: '/auth/check-username',
      summary: 'Show an agent’s e-mail, masked, as a hint for a password reset',
      tag,
      auth: visitor,
      tier: 'heavy',
      countedApart: true,
      body: CheckUsername,
      response: { 200: MaskedEmail },
      errors: { 404: 'No such active agent, or one without an e-mail' },
      handler: async ({ workspace, body }) => ({ email: await auth.emailHint(workspace, body.username) }),
    }),
    endpoint({
      method: 'POST',
      path: '/auth/forgot-password',
      summary: 'Have a link to set a new password sent by mail',
      description:
        'The answer is the same whether or not there is such an agent. The link holds for 30 minutes and one change; an agent gets five in that time at most.',
      tag,
      auth: visitor,
      tier: 'heavy',
      countedApart: true,
      body: ForgotPassword,
      response: { 200: AskedForReset },
      handler: async ({ workspace, body }) => {
        await resets.request(workspace, body)
        return { message: asked, has_mail: resets.isConfigured }
      },
    }),
    endpoint({
      method: 'POST',
      path: '/auth/reset-password',
      summary: 'Set a new password with the token of a mailed link',
      description: 'All sessions of the agent end, and its softphone registers with the new password.',
      tag,
      auth: visitor,
      tier: 'heavy',
      countedApart: true,
      body: ResetPassword,
      response: { 200: Confirmation },
      errors: {
        400: 'Invalid parameters, or a token that is invalid, expired or used, or of no active agent',
        500: 'Password reset is not configured on this server',
      },
      handler: async ({ workspace, body }) => {
        await auth.resetPassword(workspace, body.token, body.new_password)
        return { message: 'The password is set.' }
      },
    }),
  ]
}

/** Requests are counted before their bodies are checked: '' for what is neither a username, a device id nor a token. */
function textOf(value: unknown): string {
  return typeof value === 'string' && /^[!-~]{1,4096}$/.test(value) ? value : ''
}

/** The session that a token says it is of, whether or not that is true; '' when it says none. */
function sessionIn(token: string): string {
  const session: unknown = unverifiedClaims(token)?.['session_id']
  return textOf(session)
}
