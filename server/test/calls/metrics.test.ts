/** What is measured, with real calls: read as Prometheus reads it. */
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { type ApiClient, eventually } from '../support/api-client.js'
import { freePorts } from '../support/free-ports.js'
import { findFreeswitch } from '../support/freeswitch.js'
import { InboundBench } from '../support/inbound-bench.js'
import { Measurements } from '../support/prometheus.js'

const sentence = { action: 'tts', params: { text: 'Thank you for calling.' } }

/** A file of the repository. */
const file = async (path: string) => readFile(new URL(`../../../../${path}`, import.meta.url), 'utf8')

const namesIn = (text: string) =>
  new Set([...text.matchAll(/\b(?:jackfield|nodejs|process)_[a-z0-9_]+/g)].map(([name]) => name))

describe('measurements', function () {
  this.timeout(90_000)
  let bench: InboundBench
  let operator: ApiClient
  let port = 0
  let home = ''

  const look = async () => Measurements.read(String((await operator.get('/metrics')).body))

  before(async function () {
    if (!(await findFreeswitch())) this.skip()
    ;[port = 0] = await freePorts(1)
    home = await mkdtemp(join(tmpdir(), 'jackfield-metrics-'))
    await mkdir(join(home, 'run'))
    await writeFile(join(home, 'run/last-backup'), '2026-01-02T03:04:05.000Z\n')
    bench = await InboundBench.start({
      settings: { JACKFIELD_METRICS_PORT: String(port), JACKFIELD_HOME: home },
    })
    operator = bench.bench.appliance.operator
  })
  after(async () => {
    await bench?.stop()
    if (home) await rm(home, { recursive: true })
  })

  it('tell the stages and the ends of calls', async () => {
    const { bench: calls } = bench
    await calls.ended(await calls.call('+12025550100', [sentence]))
    await calls.ended(await calls.call('+12025550101', [sentence]))
    await bench.runs([
      { id: 'welcome', type: 'tts', params: { text: 'Welcome.' }, next: { default: 'bye' } },
      { id: 'bye', type: 'hangup' },
    ])
    const dialog = await bench.answeredCall(await bench.caller())
    await dialog.over()
    await bench.lastCall()

    const seen = await eventually(look, (one) => one.value('jackfield_switch_channels_ended_total') === 3, {
      what: 'the ends of three channels',
    })
    const ended = (labels: Record<string, string>) => seen.value('jackfield_calls_ended_total', labels)
    expect(seen.value('jackfield_calls_begun_total', { direction: 'outbound' })).to.equal(2)
    expect(ended({ direction: 'outbound', status: 'completed', hangup_cause: 'NORMAL_CLEARING' })).to.equal(1)
    expect(ended({ direction: 'outbound', status: 'busy', hangup_cause: 'USER_BUSY' })).to.equal(1)
    expect(ended({ direction: 'inbound', status: 'completed', hangup_cause: 'NORMAL_CLEARING' })).to.equal(1)
    expect(ended({ ended_by: 'server', status: 'completed' }), 'the scripts hung up').to.equal(2)
    expect(ended({ ended_by: 'callee', status: 'busy' }), 'the called party was busy').to.equal(1)
    expect(seen.value('jackfield_call_arrivals_total', { source: 'trunk' })).to.equal(1)
    const actionContext = (name: string) =>
      seen.value('jackfield_call_stage_duration_seconds_count', { stage: name })
    expect(actionContext('decision')).to.equal(1)
    expect(actionContext('ringing')).to.be.greaterThan(0)
    expect(actionContext('answer')).to.equal(2)
    expect(actionContext('action')).to.equal(1)
    expect(seen.value('jackfield_call_duration_seconds_count')).to.equal(2)
    expect(seen.value('jackfield_live_calls')).to.equal(0)
    expect(
      seen.value('jackfield_switch_command_duration_seconds_count', { failed: 'false' }),
    ).to.be.greaterThan(5)
    expect(seen.value('jackfield_switch_event_lag_seconds_count')).to.be.greaterThan(10)
  })

  it('tell of every part, and nothing of who calls or whose it is', async () => {
    const seen = await look()
    for (const part of ['server', 'database', 'work', 'switch', 'edge']) {
      expect(seen.value('jackfield_part_up', { part }), part).to.equal(1)
    }
    expect(seen.value('jackfield_edge_requests_total', { method: 'invite' })).to.be.greaterThan(2)
    expect(seen.value('jackfield_edge_shared_memory_bytes', { state: 'used' })).to.be.greaterThan(1_000_000)
    expect(seen.value('jackfield_edge_banned_sources')).to.equal(0)
    expect(seen.value('jackfield_switch_channels_begun_total')).to.equal(3)
    expect(seen.value('jackfield_switch_cpu_idle_ratio')).to.be.within(0, 1)
    expect(seen.value('jackfield_database_size_bytes')).to.be.greaterThan(100_000)
    expect(seen.value('jackfield_database_buffer_pool_bytes', { state: 'used' })).to.be.greaterThan(0)
    expect(seen.value('jackfield_database_pool_connections')).to.be.greaterThan(0)
    expect(
      seen.value('jackfield_database_query_duration_seconds_count', { statement: 'commit' }),
    ).to.be.greaterThan(3)
    expect(seen.value('jackfield_job_duration_seconds_count', { failed: 'false' })).to.be.greaterThan(1)
    const made = { method: 'POST', route: '/calls/make', status: '201' }
    expect(seen.value('jackfield_http_request_duration_seconds_count', made)).to.equal(2)
    expect(seen.value('nodejs_eventloop_lag_seconds')).to.be.a('number')
    const labels = seen.samples.flatMap((sample) => Object.values(sample.labels))
    expect(
      labels.filter((value) => /\d{5}/.test(value) || value.includes(bench.bench.workspace.id)),
    ).to.deep.equal([])
    expect(seen.samples.length).to.be.lessThan(3_000)
  })

  it('tell what must be seen to in time', async () => {
    const seen = await eventually(
      look,
      (one) => one.value('jackfield_backup_timestamp_seconds') !== undefined,
      {
        what: 'a look at it',
      },
    )
    expect(seen.value('jackfield_backup_timestamp_seconds')).to.equal(
      Date.parse('2026-01-02T03:04:05Z') / 1000,
    )
    const end = seen.value('jackfield_certificate_end_timestamp_seconds', { listener: 'sip' })
    expect(end).to.be.greaterThan(Date.now() / 1000)
    for (const purpose of ['state', 'media']) {
      const size = seen.value('jackfield_disk_size_bytes', { purpose })
      expect(seen.value('jackfield_disk_free_bytes', { purpose }), purpose).to.be.within(1, Number(size))
    }
  })

  it('are for the operator alone, and plain where they are set to be', async () => {
    expect(
      (await operator.with({ authorization: 'Operator wrong-token-of-the-tests' }).get('/metrics')).status,
    ).to.equal(401)
    const plain = await fetch(`http://127.0.0.1:${port}/metrics`)
    expect(plain.headers.get('content-type')).to.contain('version=0.0.4')
    expect(Measurements.read(await plain.text()).value('jackfield_part_up', { part: 'edge' })).to.equal(1)
    expect((await fetch(`http://127.0.0.1:${port}/api/v1/metrics`)).status).to.equal(404)
  })

  it('are what the dashboard, the alerts and the documentation name', async () => {
    const seen = await look()
    const ends = ['', '_bucket', '_sum', '_count']
    const known = new Set([...seen.types.keys()].flatMap((name) => ends.map((end) => name + end)))
    for (const path of ['installer/monitoring/alerts.yml', 'installer/monitoring/dashboard.json']) {
      const named = [...namesIn(await file(path))]
      expect(named.length, path).to.be.greaterThan(20)
      expect(
        named.filter((name) => !known.has(name)),
        path,
      ).to.deep.equal([])
    }
    const pages = await Promise.all(['docs/operate/monitoring.md', 'docs/reference/metrics.md'].map(file))
    const documented = namesIn(pages.join('\n'))
    const own = [...seen.types.keys()].filter((name) => name.startsWith('jackfield_'))
    expect(own.filter((name) => !documented.has(name))).to.deep.equal([])
    expect([...documented].filter((name) => !known.has(name))).to.deep.equal([])
  })

  it('say that a part is away, and make up nothing of it', async () => {
    await bench.bench.appliance.kamailio?.stop()
    const seen = await look()
    expect(seen.value('jackfield_part_up', { part: 'edge' })).to.equal(0)
    expect(seen.samples.filter(({ name }) => name.startsWith('jackfield_edge_'))).to.deep.equal([])
    expect(seen.value('jackfield_part_up', { part: 'switch' })).to.equal(1)
  })
})
