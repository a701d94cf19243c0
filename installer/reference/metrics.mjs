/** docs/reference/metrics.md: all metrics of a server. */
import { metricCatalogue } from '../../server/dist/src/features/metrics/catalogue.js'
import { code, codes, page, prose, section, table } from './markdown.mjs'

/** @type {readonly (readonly [title: string, names: RegExp])[]} */
const groups = [
  [
    'Parts and servers',
    /^(backup|build|cell|certificate|disk|draining|drives|part|redis|signing|sip_capture|trace)/,
  ],
  ['Calls', /^(live_calls|call_(?!sockets)|calls_|voice_agent)/],
  ['Switch (FreeSWITCH)', /^switch_/],
  ['SIP edge (Kamailio)', /^(edge_|registrations$)/],
  ['API', /^(http_|event_streams|call_sockets)/],
  ['Database', /^database_/],
  ['Messages, webhooks, pushes, jobs', /^(message|carriers|queue|webhook|push|job)/],
]

const intro = `A server answers these at \`/metrics\`. [Monitoring](../operate/monitoring.md) says how to scrape them, which are
summed over servers, and what to do when an alert fires. A histogram \`x\` has the series \`x_bucket\`, \`x_sum\` and \`x_count\`.`

export function metricsPage() {
  const metrics = metricCatalogue()
    .filter(({ name }) => name.startsWith('jackfield_'))
    .sort((one, other) => one.name.localeCompare(other.name))
  const groupOf = (/** @type {string} */ name) =>
    groups.find(([, names]) => names.test(name.replace('jackfield_', '')))
  const lost = metrics.filter(({ name }) => !groupOf(name))
  if (lost.length > 0)
    throw new Error(`installer/reference/metrics.mjs has no group for ${lost.map(({ name }) => name)}`)
  return page(
    'Metrics',
    intro,
    groups.map((group) =>
      section(
        group[0],
        table(
          ['metric', 'kind', 'labels', 'meaning'],
          metrics
            .filter(({ name }) => groupOf(name) === group)
            .map(({ name, kind, labels, help }) => [code(name), kind, codes(labels), prose(help)]),
        ),
      ),
    ),
  )
}
