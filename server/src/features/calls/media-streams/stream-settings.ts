/** Parameters of the action `stream`, and their rules. */
import Type, { type Static } from 'typebox'
import { maxUrlLength } from '../../../infrastructure/http-client/urls.js'
import type { FieldProblem } from '../../../infrastructure/http/errors.js'
import { printable } from '../../../infrastructure/http/shapes.js'
import type { Call } from '../model/call.entity.js'

export const StreamSettings = Type.Object({
  ws_url: Type.String({
    maxLength: maxUrlLength,
    pattern: '^[Ww][Ss][Ss]?://[!-~]+$',
    'x-rule': 'a ws or wss URL',
    description: 'WebSocket server that gets the audio',
    'x-field': { kind: 'url' },
  }),
  track: Type.Optional(
    Type.Enum(['both', 'inbound', 'outbound'], {
      description:
        'Audio that is sent: from the call’s party (inbound), to the party (outbound), or both; both by default',
      'x-field': { default: 'both' },
    }),
  ),
  sample_rate: Type.Optional(
    Type.Enum([8000, 16000], {
      description: 'Samples per second; 8000 by default',
      'x-field': { default: 8000 },
    }),
  ),
  bidirectional: Type.Optional(
    Type.Boolean({ description: 'The call’s party talks with the server; false by default' }),
  ),
  answer_call: Type.Optional(
    Type.Boolean({
      description: 'true by default; false leaves an unanswered caller unanswered',
      'x-field': { default: true },
    }),
  ),
  headers: Type.Optional(
    Type.Unsafe<Record<string, string>>({
      type: 'object',
      maxProperties: 10,
      description: 'Sent with the handshake, such as Authorization',
      propertyNames: {
        pattern: "^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,64}$",
        'x-rule': 'named as an HTTP header is',
      },
      additionalProperties: {
        type: 'string',
        maxLength: 1024,
        pattern: printable,
        'x-rule': 'free of control characters',
      },
    }),
  ),
})
export type StreamSettings = Static<typeof StreamSettings>

/** Headers of the handshake itself (RFC 6455, section 4.1), and of HTTP message framing (RFC 9110, RFC 9112). */
const ownHeaders = new Set([
  ...['host', 'connection', 'upgrade', 'content-length', 'transfer-encoding', 'te', 'trailer', 'expect'],
  ...['keep-alive', 'proxy-authorization', 'proxy-connection', 'proxy-authenticate'],
])

/** @param brokenRule the rule that a URL breaks, worded to follow "must" */
export function settingProblems(
  { ws_url, track, bidirectional = false, headers = {} }: StreamSettings,
  brokenRule: (url: string) => string | undefined,
): FieldProblem[] {
  const problems: [field: string, rule: string][] = []
  const broken = brokenRule(ws_url)
  if (broken) problems.push(['ws_url', `must ${broken}`])
  if (bidirectional && track === 'outbound') {
    problems.push([
      'track',
      'must not be outbound when bidirectional is true: the server gets only what it does not send itself',
    ])
  }
  for (const [name, value] of Object.entries(headers)) {
    const lower = name.toLowerCase()
    if (ownHeaders.has(lower) || lower.startsWith('sec-websocket-')) {
      problems.push([`headers.${name}`, 'must not be given: it belongs to the handshake'])
    } else if (!/^[\x20-\x7e\xa0-\xff]*$/.test(value)) {
      problems.push([`headers.${name}`, 'must hold characters of Latin-1 only'])
    }
  }
  return problems.map(([field, rule]) => ({ field, messages: [`${field} ${rule}`] }))
}

/** URL of the customer's server with the call's details as query parameters (contract, stream params). */
export function streamUrl(wsUrl: string, call: Readonly<Call>): string {
  const details = new URLSearchParams({
    call_id: call.id,
    workspace_id: call.workspace_id,
    caller_number: call.from_number,
    caller_name: call.from_name,
    destination_number: call.to_number,
    stream_type: 'platform_stream',
  })
  const url = new URL(wsUrl)
  url.hash = ''
  // The customer's own query is kept as it is.
  const query = url.search.replace(/^\?/, '')
  url.search = ''
  return `${url.href}?${query && `${query}&`}${details.toString()}`
}
