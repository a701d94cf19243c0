/** The mail that brings the link to set a new password. */
import type { Mail } from '../../infrastructure/mail/mailer.js'
import { mailOf } from '../../infrastructure/mail/paragraphs.js'

interface Contents {
  to: string
  displayName: string
  username: string
  /** Title of the workspace. */
  workspace: string
  link: string
}

export function resetMail({ to, link, displayName, username, workspace }: Contents): Mail {
  const reason = `Somebody, probably you, has asked for a new password for ${username} in ${workspace}.`
  return mailOf({
    to,
    subject: `Set a new password for ${workspace}`,
    paragraphs: [
      `Hello ${displayName},`,
      `${reason} Set it here within 30 minutes; the link works once:`,
      { href: link, text: 'Set a new password' },
      'If it was not you, there is nothing to do: your password stays as it is.',
    ],
  })
}
