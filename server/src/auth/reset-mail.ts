/** The mail that brings the link to set a new password. */
import type { Mail } from '../mail/mailer.js'

interface Contents {
  to: string
  displayName: string
  username: string
  /** Title of the workspace. */
  workspace: string
  link: string
}

const lines = ({ displayName, username, workspace }: Omit<Contents, 'to' | 'link'>) => ({
  greeting: `Hello ${displayName},`,
  reason: `Somebody, probably you, has asked for a new password for ${username} in ${workspace}.`,
  invitation: 'Set it here within 30 minutes; the link works once:',
  assurance: 'If it was not you, there is nothing to do: your password stays as it is.',
})

export function resetMail({ to, link, ...whom }: Contents): Mail {
  const { greeting, reason, invitation, assurance } = lines(whom)
  const paragraphs = [greeting, `${reason} ${invitation}`, link, assurance]
  const html = [
    escaped(greeting),
    escaped(`${reason} ${invitation}`),
    `<a href="${escaped(link)}">Set a new password</a>`,
    escaped(assurance),
  ]
  return {
    to,
    subject: `Set a new password for ${whom.workspace}`,
    text: `${paragraphs.join('\n\n')}\n`,
    html: `<!doctype html><html lang="en"><body>${html.map((one) => `<p>${one}</p>`).join('')}</body></html>\n`,
  }
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (character) => entities[character] ?? character)
}
