/** What nobody who looks at a call needs to see of its SIP: it is made unreadable in place, so that lengths stay true. */

/** Proofs of passwords, from which weak ones can be guessed; and keys that somebody pressed, which may be a PIN. */
const patterns = [
  /^(?:Proxy-)?Authorization[ \t]*:.*\bresponse="([0-9a-f]{32,128})"/gim,
  /^Signal[ \t]*=[ \t]*([0-9A-D*#]+)/gim,
]

const star = 0x2a

/** Changes the message itself. */
export function hideSecrets(message: Buffer): void {
  const text = message.toString('latin1')
  for (const pattern of patterns) {
    for (const found of text.matchAll(pattern)) {
      const [whole, secret = ''] = found
      const from = found.index + whole.lastIndexOf(secret)
      message.fill(star, from, from + secret.length)
    }
  }
}

/** The Call-ID of a message; null for what is no SIP. */
export function callIdOf(message: Buffer): string | null {
  const [, id] = /^(?:Call-ID|i)[ \t]*:[ \t]*(\S{1,255})[ \t]*\r?$/im.exec(message.toString('latin1')) ?? []
  return id ?? null
}
