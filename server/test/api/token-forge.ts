/** Tokens as the server signs them, and as it never would: tests know its key. */
import { createHash, hkdfSync } from 'node:crypto'
import jwt from 'jsonwebtoken'
import type { TestWorkspace } from '../support/appliance.js'
import { query } from './database.js'

export type Audience = 'agent-api' | 'agent-refresh' | 'password-reset' | 'call-session'

/** The key that tokens of an audience are signed with. */
export function keyOf({ appliance }: TestWorkspace, audience: Audience): Buffer {
  return Buffer.from(hkdfSync('sha256', appliance.secretKey, '', `jackfield token ${audience}`, 32))
}

/** Signs claims for an audience; a claim that is undefined is left out. */
export function forged(
  workspace: TestWorkspace,
  audience: Audience,
  claims: Record<string, unknown>,
  {
    key = keyOf(workspace, audience),
    algorithm = 'HS256',
    header = {},
  }: { key?: jwt.Secret; algorithm?: jwt.Algorithm; header?: object } = {},
): string {
  const now = Math.floor(Date.now() / 1000)
  const base = { workspace_id: workspace.id, iss: 'jackfield', aud: audience, iat: now, exp: now + 600 }
  const payload = Object.entries({ ...base, ...claims }).filter(([, value]) => value !== undefined)
  // As a text, claims may be whatever they like.
  const text = JSON.stringify(Object.fromEntries(payload))
  return jwt.sign(text, key, { algorithm, header: { alg: algorithm, typ: 'JWT', ...header } })
}

/** What a mailed link of an agent would hold. */
export async function resetToken(
  workspace: TestWorkspace,
  agentId: string,
  claims: object = {},
): Promise<string> {
  const [agent] = await query(workspace.appliance, 'SELECT password_hash, email FROM agents WHERE id = ?', [
    agentId,
  ])
  const { password_hash, email } = agent as { password_hash: string; email: string | null }
  const stamp = createHash('sha256')
    .update(`${password_hash} ${email ?? ''}`)
    .digest('base64url')
  return forged(workspace, 'password-reset', { sub: agentId, stamp, ...claims })
}
