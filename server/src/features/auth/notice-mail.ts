/** The mail that notifies an agent of a change of their account. */
import type { Mail } from '../../infrastructure/mail/mailer.js'
import { mailOf } from '../../infrastructure/mail/paragraphs.js'

export type AccountChange = 'email' | 'username' | 'password' | 'admin'

interface Contents {
  to: string
  display_name: string
  username: string
  /** Title of the workspace. */
  workspace: string
  changes: readonly AccountChange[]
  by_agent: boolean
  ip: string | null
  /** ISO 8601. */
  at: string
}

const sentences: Readonly<Record<AccountChange, string>> = {
  email: 'Its e-mail was changed: this address is no longer the account’s.',
  username: 'Its username was changed.',
  password: 'Its password was changed, and its other sessions have ended.',
  admin: 'It was made an administrator of the workspace.',
}

export function noticeMail({
  to,
  display_name,
  username,
  workspace,
  changes,
  by_agent,
  ip,
  at,
}: Contents): Mail {
  const origin = ip === null ? '' : `, from the address ${ip}`
  const actor = by_agent
    ? 'with your own account or a link that was mailed to you'
    : 'by who manages the workspace'
  return mailOf({
    to,
    subject: `Your account in ${workspace} has changed`,
    paragraphs: [
      `Hello ${display_name},`,
      `The account ${username} in ${workspace} was changed at ${at}, ${actor}${origin}.`,
      ...changes.map((change) => sentences[change]),
      'If this surprises you, tell your administrator at once. For 24 hours after a change of the e-mail you can still set a new password with the old address: “Forgot your password?” on the page where you sign in.',
    ],
  })
}
