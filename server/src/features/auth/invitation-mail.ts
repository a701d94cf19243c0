/** The mail that brings an agent the link to set a first password. */
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

export function invitationMail({ to, link, displayName, username, workspace }: Contents): Mail {
  return mailOf({
    to,
    subject: `Your account in ${workspace}`,
    paragraphs: [
      `Hello ${displayName},`,
      `You have an account in ${workspace}. Your username is ${username}.`,
      'Set your password here within 24 hours; the link works once:',
      { href: link, text: 'Set my password' },
    ],
  })
}
