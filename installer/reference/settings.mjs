/** docs/reference/settings.md: all settings of the installer and the server. */
import { settings as serverSettings } from '../../server/dist/src/config/config.js'
import { Setting } from '../../server/dist/src/config/settings/kinds.js'
import { serverEnvironment } from '../part-options.mjs'
import { SETTINGS, environmentName, readSettings } from '../settings.mjs'
import { capitalised, code, page, prose, section, table } from './markdown.mjs'

/** @typedef {{variable: string, group: string, rule: string, fallback: unknown, help: string}} Row */

/** Titles of the groups in their order, and the page that has the prose: in docs/reference's view. */
const groups = {
  general: ['General', '[The appliance](../operate/appliance.md#settings)'],
  http: ['HTTP', '[Several servers](../operate/appliance.md#several-servers)'],
  tls: ['Certificates', '[Certificates](../install/certificates.md)'],
  sip: ['SIP', '[Phones](../calls/phones.md), [TLS of trunks](../calls/trunks.md#tls)'],
  rtp: ['Audio of calls', '[Phones](../calls/phones.md#where-audio-goes)'],
  edge: ['SIP edge (Kamailio)', '[Several cells](../operate/cells.md)'],
  switch: ['Switch (FreeSWITCH)', '[The appliance](../operate/appliance.md#what-npm-run-up-does)'],
  freeswitch: ['FreeSWITCH program', '[The appliance](../operate/appliance.md#what-npm-run-up-does)'],
  sandbox: ['Sandbox', '[The sandbox](../start/sandbox.md)'],
  node: ['Node', '[The appliance](../operate/appliance.md#what-npm-run-up-does)'],
  database: ['Database', '[A database of your own](../operate/appliance.md#a-database-of-your-own)'],
  redis: ['Redis', '[Several servers](../operate/appliance.md#several-servers)'],
  calls: ['Calls', '[Limits of calls](../operate/appliance.md#limits-of-calls)'],
  sip_trunks: ['SIP trunks', '[SIP trunks](../calls/trunks.md)'],
  stir: ['Signed callers', '[STIR/SHAKEN](../operate/stir-shaken.md)'],
  numbers: ['Verified numbers', '[Verified numbers](../calls/trunks.md#verified-numbers)'],
  messages: ['Messages', '[SMS and MMS](../messages/sms-and-mms.md)'],
  voice_agents: ['Voice agents', '[Voice agents](../voice-agents/voice-agents.md)'],
  media: ['Files', '[Audios](../calls/audios.md)'],
  recordings: ['Recordings', '[Recordings and voicemail](../calls/recordings.md)'],
  retention: ['Retention', '[How long data is kept](../operate/retention.md)'],
  audit_log: ['Audit log', '[The audit log](../operate/appliance.md#the-audit-log)'],
  new_workspaces: ['New workspaces', '[Limits of spending](../operate/prices.md#limits-of-spending)'],
  limits: ['Limits of a workspace', ''],
  rate_limits: ['Rate limits', '[The API](../integrate/api.md#limits)'],
  alerts: ['Alerts', '[Alerts](../operate/prices.md#alerts)'],
  webhooks: ['Webhooks', '[Webhooks](../integrate/webhooks.md)'],
  stream: ['Event streams', '[Apps](../integrate/apps.md#listen-to-events)'],
  client_tokens: ['Client tokens', '[Apps](../integrate/apps.md#tokens-of-your-users)'],
  http_client: ['Requests to servers of customers', '[Webhooks](../integrate/webhooks.md)'],
  push: ['Push', '[Push](../integrate/push.md)'],
  mail: ['Mail', '[Mail](../operate/appliance.md#mail)'],
  sip_capture: ['SIP capture', '[SIP capture](../operate/sip-capture.md)'],
  metrics: ['Metrics', '[Monitoring](../operate/monitoring.md)'],
  traces: ['Traces', '[Traces](../operate/traces.md)'],
  log: ['Logs', '[Log levels](../operate/maintenance.md#log-levels)'],
}

/** What only the environment says. @type {Row[]} */
const environmentOnly = [
  {
    ...{ variable: 'JACKFIELD_HOME', group: 'general', rule: 'a directory', fallback: '<checkout>/var' },
    help: 'directory of all state; in the environment only',
  },
  {
    ...{ variable: 'JACKFIELD_CONFIG', group: 'general', rule: 'a file', fallback: '<home>/config.json' },
    help: 'JSON file with settings; in the environment only',
  },
  {
    ...{ variable: 'JACKFIELD_LOG_SECURITY_FILE', group: 'log', rule: 'a text' },
    fallback: '<home>/log/security.log',
    help: `${serverSettings.log.security_file.help}; in the environment only`,
  },
]

const intro = `A setting is an environment variable \`JACKFIELD_…\`, or a key of the JSON file that \`JACKFIELD_CONFIG\` names:
\`JACKFIELD_HTTP_PORT\` is \`{"http": {"port": …}}\`. Any of them can be given as the path of a file that holds the value, with
\`_FILE\` behind its name: \`JACKFIELD_DATABASE_PASSWORD_FILE\`. [The appliance](../operate/appliance.md#settings) says how
they are applied. An empty default means that the setting is empty.`

export function settingsPage() {
  const isOwn = new Set(environmentOnly.map(({ variable }) => variable))
  const ofInstaller = Object.entries(SETTINGS).map(([name, setting]) => rowOf(name, setting))
  const known = new Set([...isOwn, ...ofInstaller.map(({ variable }) => variable)])
  const made = Object.keys(serverEnvironment(readSettings({ JACKFIELD_HOME: '/nonexistent' }), ''))
  const isMade = (/** @type {string} */ name) => made.includes(name) || made.includes(`${name}_FILE`)
  const ofServer = rowsIn(serverSettings).filter(({ variable }) => !known.has(variable))
  const rows = [...environmentOnly, ...ofInstaller, ...ofServer.filter(({ variable }) => !isMade(variable))]
  const others = [...new Set(rows.map(({ group }) => group))].filter((group) => !(group in groups))
  if (others.length > 0)
    throw new Error(`installer/reference/settings.mjs has no title for ${others.join(', ')}`)
  return page('Settings', intro, [
    ...Object.entries(groups).map(([name, [title = '', see]]) =>
      section(title, see ? `See ${see}.` : '', tableOf(rows.filter(({ group }) => group === name))),
    ),
    section(
      'Set by the installer',
      'The installer derives these from the settings above and from the secrets. They matter to those who start `node server/dist/src/bin/main.js` themselves.',
      tableOf(ofServer.filter(({ variable }) => isMade(variable))),
    ),
  ])
}

/** @param {string} name dotted @param {{rule: string, fallback: unknown, help: string}} setting @returns {Row} */
function rowOf(name, { rule, fallback, help }) {
  const [group = '', ...rest] = name.split('.')
  const isGeneral = rest.length === 0 || group === 'disk'
  return { variable: environmentName(name), group: isGeneral ? 'general' : group, rule, fallback, help }
}

/** @param {object} group @param {string} [path] @returns {Row[]} */
function rowsIn(group, path = '') {
  return Object.entries(group).flatMap(([name, entry]) =>
    entry instanceof Setting ? [rowOf(path + name, entry)] : rowsIn(entry, `${path}${name}.`),
  )
}

/** @param {readonly Row[]} rows */
function tableOf(rows) {
  return table(
    ['variable', 'value', 'default', 'meaning'],
    rows.map(({ variable, rule, fallback, help }) => [
      ...[code(variable), prose(rule), defaultOf(fallback), prose(capitalised(help))],
    ]),
  )
}

/** @param {unknown} fallback */
function defaultOf(fallback) {
  if (fallback === undefined) return 'none: required'
  return Array.isArray(fallback) ? '' : code(String(fallback))
}
