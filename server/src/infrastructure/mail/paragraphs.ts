/** Mails of a few paragraphs, as plain text and as HTML. */
import type { Mail } from './mailer.js'

/** A paragraph: a text, or a link with its text in HTML. */
export type Paragraph = string | { readonly href: string; readonly text: string }

export function mailOf({
  to,
  subject,
  paragraphs,
}: {
  to: string
  subject: string
  paragraphs: readonly Paragraph[]
}): Mail {
  const plain = paragraphs.map((one) => (typeof one === 'string' ? one : one.href))
  const html = paragraphs.map((one) =>
    typeof one === 'string' ? escaped(one) : `<a href="${escaped(one.href)}">${escaped(one.text)}</a>`,
  )
  return {
    ...{ to, subject },
    text: `${plain.join('\n\n')}\n`,
    html: `<!doctype html><html lang="en"><body>${html.map((one) => `<p>${one}</p>`).join('')}</body></html>\n`,
  }
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (character) => entities[character] ?? character)
}
