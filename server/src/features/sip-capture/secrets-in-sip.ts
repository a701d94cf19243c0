/** Secrets in SIP that a call's trace does not need: they are masked in place, so that lengths stay true. */

/**
 * Proofs of passwords, from which weak ones can be guessed, on headers that may be folded; keys that somebody pressed,
 * which may be a PIN (`application/dtmf-relay`, and `application/dtmf`, whose body is nothing else); keys of SRTP
 * (RFC 4568), with which the sound could be read.
 */
const patterns = [
  /^(?:Proxy-)?Authorization[ \t]*:(?:[^\r\n]|\r?\n[ \t])*?\bresponse[ \t]*=[ \t]*"([0-9a-f]{32,128})"/gim,
  /^Signal[ \t]*=[ \t]*([0-9A-D*#]+)/gim,
  /^a=crypto:[^\r\n]*?\binline:(\S+)/gim,
]

const keysAlone = /^(?:Content-Type|c)[ \t]*:[ \t]*application\/dtmf[ \t]*\r?$/im

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
  const headEnd = /\r?\n\r?\n/.exec(text)
  if (headEnd && keysAlone.test(text.slice(0, headEnd.index)))
    message.fill(star, headEnd.index + headEnd[0].length)
}

/** The Call-ID of a message; null for what is no SIP. */
export function callIdOf(message: Buffer): string | null {
  const [, id] = /^(?:Call-ID|i)[ \t]*:[ \t]*(\S{1,255})[ \t]*\r?$/im.exec(message.toString('latin1')) ?? []
  return id ?? null
}
