/** The mail that brings an agent a voicemail. */
import type { Attachment, Mail } from '../../infrastructure/mail/mailer.js'
import { mailOf } from '../../infrastructure/mail/paragraphs.js'

interface Contents {
  to: string
  displayName: string
  /** The caller's number, and the name that it is known by; empty for none. */
  from: { number: string; name: string }
  /** The team that the call was for; null for none. */
  team: string | null
  seconds: number
  transcript: string | null
  /** Of the console's page. */
  link: string
  /** Null when it is too large for a mail. */
  sound: Attachment | null
}

export function voicemailMail(contents: Contents): Mail {
  const { to, displayName, from, team, seconds, transcript, link, sound } = contents
  const caller = from.name || from.number || 'A caller without a number'
  const known = from.name && from.number ? `${from.name} (${from.number})` : caller
  return {
    ...mailOf({
      to,
      subject: `Voicemail: ${caller}`,
      paragraphs: [
        `Hello ${displayName},`,
        `${known} left a message of ${lengthOf(seconds)}${team === null ? '' : ` for ${team}`}.`,
        ...(transcript ? [`“${transcript}”`] : []),
        { href: link, text: 'My voicemails' },
      ],
    }),
    attachments: sound ? [sound] : [],
  }
}

/** `0:32` */
function lengthOf(seconds: number): string {
  const whole = Math.round(seconds)
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`
}
