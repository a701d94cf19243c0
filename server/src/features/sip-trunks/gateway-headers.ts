/** What a gateway's headers may say. */
import { isIPv4 } from 'node:net'
import type { Owner } from '../../infrastructure/database/workspace-table.js'
import { invalidField } from '../../infrastructure/http/errors.js'
import { numberProblem } from '../../adapters/sms/number-settings.schema.js'
import { isHost, isHostName } from '../../lib/hosts.js'
import type { OutboundGateway } from './outbound-gateway.entity.js'

type Headers = Pick<
  OutboundGateway,
  | 'from_user'
  | 'from_domain'
  | 'contact_host'
  | 'request_domain'
  | 'country'
  | 'number_format'
  | 'number_prefix'
>

/** @throws 400 naming the first that breaks a rule */
export function checkHeaders(headers: Headers): void {
  for (const field of ['from_domain', 'request_domain'] as const)
    if (headers[field] !== null && !isHost(headers[field]))
      throw invalidField(field, `${field} must be an IP address or a host name`)
  const { contact_host: contact } = headers
  if (contact !== null && !isHostName(contact) && !isIPv4(contact))
    throw invalidField('contact_host', 'contact_host must be a host name or an IPv4 address')
  const problem = numberProblem(headers)
  if (problem) throw invalidField(problem.field, `${problem.field} ${problem.problem}`)
}

/** The number that a user part of From shows, as digits; null where people read no number in it. */
export function numberShownBy(user: string): string | null {
  if (!/^[\d+._~*-]+$/.test(user)) return null
  const digits = user.replace(/\D/g, '')
  return digits === '' ? null : digits
}

/** Whether a workspace may show this user part of From: no number of somebody else. */
export async function mayShow(
  workspace: Owner,
  user: string,
  username: string | null,
  isVerified: (workspace: Owner, digits: string) => Promise<boolean>,
): Promise<boolean> {
  const digits = numberShownBy(user)
  if (digits === null) return true
  // The account's name at a carrier, such as the extension of a PBX: too short for a number of a subscriber.
  if (user === username && /^\d{4,6}$/.test(user)) return true
  return /^\+?\d+$/.test(user) && (await isVerified(workspace, digits))
}
