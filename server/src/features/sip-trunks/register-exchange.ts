/** One REGISTER with its challenges and its answer (RFC 3261 sections 10 and 22). */
import type { RegisterAnswer, RegisterRequest } from '../../adapters/kamailio/edge-client.js'
import { hostInUri } from '../../infrastructure/http-client/next-hops.js'
import { type DigestChallenge, challengeOf, digestAnswer } from './register-digest.js'
import type { RegistrarTarget } from './gateway-registration.entity.js'

export type SendRegister = (request: RegisterRequest) => Promise<RegisterAnswer>

/** What to register, and the credentials for it. */
export interface Binding {
  aorUser: string
  aorDomain: string
  username: string
  password: string
  callId: string
  /** Of the last REGISTER. */
  cseq: number
  /** The edge makes our Contact of it. */
  contactUser: string
  contactHost: string | null
  /** Takes back this Contact, which another edge had, in place of our own. */
  contact?: string
  /** Seconds; 0 takes the binding back. */
  expires: number
}

export type Outcome = { cseq: number } & (
  | {
      kind: 'registered'
      seconds: number
      asked: number
      contact: string | null
      code: number
      reason: string
    }
  | { kind: 'refused'; code: number; reason: string; retryAfter: number }
  | { kind: 'silent'; code: number | null; reason: string; retryAfter: number }
)

/** Gives up on a registrar that keeps challenging. */
const mostRequests = 6
const longestExpires = 86_400

export async function register(
  send: SendRegister,
  binding: Binding,
  target: RegistrarTarget,
): Promise<Outcome> {
  const uri = `sip:${hostInUri(binding.aorDomain)}`
  let { cseq, expires } = binding
  let answered: DigestChallenge | null = null
  let answer: RegisterAnswer = { code: 500, reason: '', headers: '' }
  for (let sent = 0; sent < mostRequests; sent++) {
    cseq++
    const { header } = answered ?? {}
    const authorization =
      answered && `${header}: ${digestAnswer(answered, binding, { method: 'REGISTER', uri })}\r\n`
    answer = await send({ uri, target, headers: headersOf(binding, cseq, expires) + (authorization ?? '') })
    const headers = headersIn(answer.headers)
    if (answer.code === 401 || answer.code === 407) {
      const challenge = challengeOf(headers)
      if (!challenge) return refusal(answer, headers, cseq, 'No digest that can be computed')
      // The same challenge after an answer means a wrong password, unless the nonce was stale.
      if (answered?.header === challenge.header && !challenge.isStale) return refusal(answer, headers, cseq)
      answered = challenge
    } else if (answer.code === 423 && expires > 0) {
      const least = Number(valueOf(headers, 'min-expires'))
      if (!(least > expires && least <= longestExpires)) return refusal(answer, headers, cseq)
      expires = least
    } else if (answer.code >= 200 && answer.code < 300)
      return taken(answer, headers, binding, { cseq, asked: expires })
    else if (answer.headers === '' || answer.code === 408 || (answer.code >= 500 && answer.code < 600)) {
      const code = answer.headers === '' ? null : answer.code
      const reason = code === null ? `No answer (${answer.reason || answer.code})` : answer.reason
      return { kind: 'silent', code, reason, cseq, retryAfter: retryAfterIn(headers) }
    } else return refusal(answer, headers, cseq)
  }
  return refusal(answer, headersIn(answer.headers), cseq, 'It asks again and again')
}

function headersOf(binding: Binding, cseq: number, expires: number): string {
  const address = `<sip:${escaped(binding.aorUser)}@${hostInUri(binding.aorDomain)}>`
  return [
    `From: ${address}`,
    `To: ${address}`,
    `Call-ID: ${binding.callId}`,
    `CSeq: ${cseq} REGISTER`,
    `Expires: ${expires}`,
    'Supported: path',
    // kamailio-conf/roles/trunk-registrations.cfg makes a Contact of them
    `X-Edge-Contact: ${binding.contactUser}`,
    ...(binding.contactHost ? [`X-Edge-Contact-Host: ${binding.contactHost}`] : []),
    ...(binding.contact ? [`Contact: ${binding.contact};expires=0`] : []),
    '',
  ].join('\r\n')
}

function escaped(user: string): string {
  return encodeURIComponent(user).replace(/%2B/g, '+')
}

function refusal({ code, reason }: RegisterAnswer, headers: Headers, cseq: number, why = reason): Outcome {
  return { kind: 'refused', code, reason: why, cseq, retryAfter: retryAfterIn(headers) }
}

function taken(
  { code, reason }: RegisterAnswer,
  headers: Headers,
  { contactUser, expires: wanted }: Binding,
  { cseq, asked }: { cseq: number; asked: number },
): Outcome {
  const own = headers
    .filter(([name]) => name === 'contact' || name === 'm')
    .flatMap(([, value]) => value.match(/(?:"(?:[^"\\]|\\.)*"|<[^>]*>|[^,"<])+/g) ?? [])
    .find((contact) => contact.includes(`${contactUser}@`))
  const granted = /;\s*expires\s*=\s*"?(\d{1,9})/i.exec(own?.replace(/<[^>]*>/, '') ?? '')?.[1]
  const seconds = Math.min(Number(granted ?? (valueOf(headers, 'expires') || asked)), longestExpires)
  if (wanted > 0 && !(seconds > 0))
    return { kind: 'refused', code, reason: 'It keeps no binding', cseq, retryAfter: 0 }
  const contact = (own && /<([^>]{1,390})>/.exec(own)?.[1]) ?? null
  return { kind: 'registered', seconds, asked, contact: contact && `<${contact}>`, code, reason, cseq }
}

type Headers = readonly (readonly [string, string])[]

/** Names in lower case, values on one line. */
function headersIn(text: string): Headers {
  return text
    .replace(/\r?\n[ \t]+/g, ' ')
    .split(/\r?\n/)
    .flatMap((line) => {
      const colon = line.indexOf(':')
      if (colon < 1) return []
      return [[line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim()] as const]
    })
}

function valueOf(headers: Headers, name: string): string {
  return headers.find(([found]) => found === name)?.[1] ?? ''
}

/** Seconds; 0 where it says nothing. */
function retryAfterIn(headers: Headers): number {
  return Math.min(Number(/^\d{1,6}/.exec(valueOf(headers, 'retry-after'))?.[0] ?? 0), 3_600)
}
