/** docs/reference/log-events.md: what the server logs, by the calls of its logger in server/src. */
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { ROOT } from '../settings.mjs'
import { code, page, prose, section, table } from './markdown.mjs'

const levels = new Set(['trace', 'debug', 'info', 'warn', 'error', 'fatal'])

/**
 * One log call. `event` is undefined where the call names none, `text` where the text is only known at run time.
 * @typedef {{event: string | undefined, level: string, text: string | undefined, at: string}} LogCall
 */

/** Its events come from those who make it, and are found there. */
const passesOn = 'lib/rate-limited-failure-log.ts'

/** @returns {LogCall[]} all log calls of the server, by file */
export function logCalls() {
  const folder = join(ROOT, 'server/src')
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && name !== passesOn)
    .sort()
    .flatMap((name) => callsIn(name, readFileSync(join(folder, name), 'utf8')))
}

/** @param {string} name @param {string} source */
function callsIn(name, source) {
  const file = ts.createSourceFile(name, source, ts.ScriptTarget.Latest, true)
  /** @type {LogCall[]} */
  const found = []
  /** @param {ts.Node} node */
  const visit = (node) => {
    const one = loggerCall(node) ?? failureOfTask(node) ?? failureLog(node)
    if (one) found.push({ ...one, at: `${name}:${file.getLineAndCharacterOfPosition(node.pos).line + 1}` })
    ts.forEachChild(node, visit)
  }
  visit(file)
  return found
}

/** `log.warn({ event, … }, text)`. @param {ts.Node} node */
function loggerCall(node) {
  if (!ts.isCallExpression(node)) return undefined
  const { expression: method, arguments: given } = node
  const isNamed = ts.isPropertyAccessExpression(method) && levels.has(method.name.text)
  if (!isNamed && !ts.isElementAccessExpression(method)) return undefined
  if (!/(^|\.)(log|security)\??$/.test(method.expression.getText())) return undefined
  const [fields, text] = given
  const event =
    fields && ts.isObjectLiteralExpression(fields)
      ? fields.properties.find((one) => one.name?.getText() === 'event')
      : undefined
  return {
    level: isNamed ? method.name.text : 'debug or warn',
    event: event && ts.isPropertyAssignment(event) ? textOf(event.initializer) : undefined,
    text: text && textOf(text),
  }
}

/** `failure: [event, text]` of a repeating or a coalesced task. @param {ts.Node} node */
function failureOfTask(node) {
  if (!ts.isPropertyAssignment(node) && !ts.isVariableDeclaration(node)) return undefined
  if (node.name.getText() !== 'failure' || !node.initializer) return undefined
  const value = ts.isAsExpression(node.initializer) ? node.initializer.expression : node.initializer
  if (!ts.isArrayLiteralExpression(value)) return undefined
  const [event, text] = value.elements
  return { level: 'warn', event: event && textOf(event), text: text && textOf(text) }
}

/** `new RateLimitedFailureLog(log, event, text)`. @param {ts.Node} node */
function failureLog(node) {
  if (!ts.isNewExpression(node) || node.expression.getText() !== 'RateLimitedFailureLog') return undefined
  const [, event, text] = node.arguments ?? []
  // A task hands its own on.
  if (!event || ts.isSpreadElement(event)) return undefined
  return { level: 'warn', event: textOf(event), text: text && textOf(text) }
}

/** @param {ts.Node} node @returns {string | undefined} the text that it is, with … for what differs */
function textOf(node) {
  if (ts.isStringLiteralLike(node)) return node.text
  if (!ts.isTemplateExpression(node)) return undefined
  return [node.head, ...node.templateSpans.map(({ literal }) => literal)].map(({ text }) => text).join('…')
}

/** Titles of the areas, the first part of an event's name. */
const areas = {
  account: 'Accounts: mails about passwords and log-ins',
  acl: 'Inbound ACLs',
  agent: 'Agents',
  alert: 'Alerts',
  audit: 'Audit log',
  call: 'Calls',
  call_socket: 'WebSockets of calls',
  callback: 'Callbacks of flows',
  carrier: 'SMS carriers',
  cell: 'Cells',
  client_leg: 'Legs of apps',
  conversation: 'Conversations',
  credit: 'Credit',
  edge: 'SIP edge (Kamailio)',
  flow: 'Flows',
  gateway: 'Gateways',
  http: 'API',
  live_board: 'Live board',
  media_stream: 'Media streams',
  message: 'Messages',
  number: 'Phone numbers',
  outbox: 'Jobs',
  phone_call: 'Calls of phones',
  presence: 'Presence',
  push: 'Pushes',
  queue: 'Queues',
  recording: 'Recordings',
  recovery: 'Recovery of calls',
  redis: 'Redis',
  retention: 'Retention',
  script: 'Scripts of calls',
  server: 'Server',
  sip_capture: 'SIP capture',
  stir: 'STIR/SHAKEN',
  stream: 'Event streams',
  supervision: 'Supervision',
  switch: 'Switch (FreeSWITCH)',
  tls: 'TLS',
  trace: 'Traces',
  transfer: 'Transfers',
  voice_agent: 'Voice agents',
  voicemail: 'Voicemails',
  webhook: 'Webhooks',
  workspace: 'Workspaces',
}

const intro = `Each line of the server's log is a JSON object. \`event\` says what has happened: alert on it and not on \`msg\`, whose words may
change. \`level\` is 20 for debug, 30 for info, 40 for warn and 50 for error; \`err\` has the error, and other fields name the \`workspace\`, the
\`call\` and so on. What fails again and again is logged when it begins and once a minute, with \`times\`; when it is over, one line of the
level info has \`_over\` behind the event. [Maintenance](../operate/maintenance.md) changes which levels are logged.`

export function logEventsPage() {
  const calls = logCalls()
  const events = new Map(calls.map((call) => [call.event ?? '', call]))
  const areaOf = (/** @type {string} */ event) => event.split('.')[0] ?? ''
  const lost = [...events.keys()].filter((event) => !(areaOf(event) in areas))
  if (lost.length > 0)
    throw new Error(`installer/reference/log-events.mjs has no area for: ${lost.join(', ')}`)
  return page(
    'Log events',
    intro,
    Object.entries(areas).map(([area, title]) =>
      section(
        title,
        table(
          ['event', 'level', 'text'],
          [...events]
            .filter(([event]) => areaOf(event) === area)
            .sort(([one], [other]) => one.localeCompare(other))
            .map(([event, { level, text }]) => [code(event), level, prose(text ?? 'The text of the alert')]),
        ),
      ),
    ),
  )
}
