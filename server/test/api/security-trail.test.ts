/** What leaves a trace of abuse: who logged in, who could not, who listened, who downloaded, and from where. */
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { eventually } from '../support/api-client.js'
import type { Appliance, TestWorkspace } from '../support/appliance.js'
import { insertCall } from './call-center-fixtures.js'
import { agentInput, keyWith, newPerson, startUnlimited, succeed } from './fixtures.js'
import { insertRecording } from './recording-fixtures.js'

interface Entry {
  action: string
  actor: { kind: string; id: string | null }
  target: { type: string; id: string; name: string | null }
  changes: Record<string, { to: unknown }>
  ip: string | null
}

const wrong = 'a wrong pass-phrase'
const from = { 'x-forwarded-for': '198.51.100.9' }

describe('traces of abuse', function () {
  this.timeout(60_000)
  let folder: string
  let securityLog: string
  let appliance: Appliance
  let workspace: TestWorkspace
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'jackfield-security-'))
    securityLog = join(folder, 'log', 'security.log')
    appliance = await startUnlimited({
      ...{ JACKFIELD_HTTP_TRUSTED_PROXIES: '127.0.0.0/8', JACKFIELD_LOG_SECURITY_FILE: securityLog },
      JACKFIELD_LOG_LEVEL: 'info',
    })
    workspace = await appliance.workspace()
  })
  after(async () => {
    await appliance?.stop()
    await rm(folder, { recursive: true, force: true })
  })

  const entries = async (filter: string) => {
    const { data } = await succeed(workspace.api.get(`/audit-log?limit=100&${filter}`))
    return data as Entry[]
  }
  const logIn = async (
    username: string,
    password: string,
    device_id = 'desk',
    headers: Record<string, string> = from,
  ) =>
    workspace.api
      .with({ authorization: undefined })
      .post('/auth/login', { username, password, device_id }, headers)
  const requests = (path: string) =>
    appliance.log
      .split('\n')
      .filter((line) => line.includes(`"path":"${path}"`))
      .map((line) => JSON.parse(line.slice(line.indexOf('{'))) as Record<string, unknown>)

  it('have good and bad log-ins with name and address in the audit log, repeated ones as a count', async () => {
    const input = agentInput()
    const { id } = await succeed(workspace.api.post('/agents', input))
    for (let count = 0; count < 5; count++) expect((await logIn(input.username, wrong)).status).to.equal(401)
    await succeed(logIn(input.username, input.password))
    await succeed(logIn(input.username, input.password, 'desk', { 'x-forwarded-for': '198.51.100.10' }))
    const [failed, ...others] = await eventually(
      async () => entries('action=agent.login_failed'),
      ([first]) => first?.changes['times']?.to === 5,
    )
    expect(others).to.deep.equal([])
    expect(failed).to.deep.include({
      ip: '198.51.100.9',
      target: { type: 'agent', id, name: input.username },
    })
    const good = await entries(`action=agent.login&actor=${id}&sort_order=asc`)
    expect(good.map(({ ip, changes }) => [ip, changes['known_device']?.to])).to.deep.equal([
      ['198.51.100.9', false],
      ['198.51.100.10', true],
    ])
    const log = await readFile(securityLog, 'utf8')
    const lines = log
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { action: string; ip: string })
    expect(lines.filter(({ action }) => action === 'agent.login_failed')).to.have.length(5)
    for (const text of [log, appliance.log]) {
      expect(text).not.to.include(wrong)
      expect(text).not.to.include(input.password)
    }
  })

  it('have lock-outs, and refresh tokens that come again', async () => {
    const person = await newPerson(workspace)
    for (let count = 0; count < 22; count++) await logIn(person.username, wrong, `device-${count}`)
    const [held] = await entries('action=agent.locked_out')
    expect(held).to.deep.include({ ip: '198.51.100.9' })
    expect(held!.target.name).to.equal(person.username)
    const visitor = workspace.api.with({ authorization: undefined })
    const { refresh_token, device_id } = person
    await succeed(visitor.post('/auth/refresh', { refresh_token, device_id }))
    expect((await visitor.post('/auth/refresh', { refresh_token, device_id }, from)).status).to.equal(401)
    const [reused] = await eventually(
      async () => entries('action=agent.refresh_reused'),
      (found) => found.length > 0,
    )
    expect(reused).to.deep.include({
      ip: '198.51.100.9',
      target: { type: 'agent', id: person.id, name: null },
    })
  })

  it('do not fill the audit log when passwords are guessed for many names', async () => {
    const guesses = 160
    const entriesOfFlood = async () => {
      const other = await appliance.workspace()
      const visitor = other.api.with({ authorization: undefined })
      await Promise.all(
        Array.from({ length: guesses }, async (_, index) =>
          visitor.post('/auth/login', { username: `guessed${index}`, password: wrong, device_id: 'x' }, from),
        ),
      )
      const { meta } = await succeed(other.api.get('/audit-log?action=agent.login_failed'))
      return meta.total as number
    }
    let total = await entriesOfFlood()
    // Two minutes may share the flood, each with fewer than 120: the next flood is within one.
    if (total === guesses) total = await entriesOfFlood()
    // At most 120 a minute and one for the rest, in the two minutes that it may have taken.
    expect(total).to.be.within(121, 162).and.not.equal(guesses)
  })

  it('have downloads of recordings and usage, by keys and by agents', async () => {
    const supervisor = await newPerson(workspace, 'supervisor')
    const call = await insertCall(appliance, workspace, [{ agent_id: supervisor.id }])
    const { id } = await insertRecording(appliance, workspace, { call_id: call })
    const reader = await keyWith(workspace, { scope: 'any', role: 'viewer' })
    await succeed(reader.get(`/recordings/${id}/content`))
    await succeed(supervisor.api.get(`/call-center/calls/${call}/recordings/${id}/content`))
    expect((await reader.get('/recordings/rec_unknown/content')).status).to.equal(404)
    const read = await entries('action=recording.read&sort_order=asc')
    expect(read.map(({ actor, target }) => [actor.kind, target.id])).to.deep.equal([
      ['api_key', id],
      ['agent', id],
    ])
    await succeed(workspace.api.get('/usage/export?from=2026-01-01&to=2026-01-02'))
    const [exported] = await entries('action=usage.export')
    expect(exported!.actor).to.deep.include({ kind: 'api_key', id: workspace.sid })
  })

  it('have who read a transcript, by key and by agent, and no reader who was refused', async () => {
    const supervisor = await newPerson(workspace, 'supervisor')
    const stranger = await newPerson(workspace)
    const call = await insertCall(appliance, workspace, [{ agent_id: supervisor.id }])
    const reader = await keyWith(workspace, { scope: 'any', role: 'viewer' })
    await succeed(reader.get(`/calls/${call}/transcript`))
    await succeed(supervisor.api.get(`/call-center/calls/${call}/transcript`))
    expect((await stranger.api.get(`/call-center/calls/${call}/transcript`)).status).to.equal(404)
    expect((await reader.get('/calls/call_unknown/transcript')).status).to.equal(404)
    const read = await entries('action=transcript.read&sort_order=asc')
    expect(read.map(({ actor, target }) => [actor.kind, target])).to.deep.equal([
      ['api_key', { type: 'transcript', id: call, name: null }],
      ['agent', { type: 'transcript', id: call, name: null }],
    ])
    expect(read[1]!.actor.id).to.equal(supervisor.id)
  })

  it('have exports as CSV: of calls, and of the operator’s rates', async () => {
    await succeed(workspace.api.get('/calls/export.csv'))
    const [calls, ...more] = await entries('action=call.export')
    expect(more).to.deep.equal([])
    expect(calls).to.deep.include({
      target: { type: 'call', id: workspace.id, name: null },
      ip: '127.0.0.1',
    })
    expect(calls!.actor).to.deep.include({ kind: 'api_key', id: workspace.sid })
    const { id } = await succeed(appliance.operator.post('/rate-decks', { title: 'Exported' }))
    await succeed(appliance.operator.get(`/rate-decks/${id}/rates.csv`))
    const { data } = await succeed(appliance.operator.get('/operator/audit-log?action=rate_deck.export'))
    expect(data).to.have.length(1)
    expect(data[0]).to.deep.include({
      workspace_id: null,
      actor: { kind: 'operator', id: null, name: null },
      target: { type: 'rate_deck', id, name: null },
    })
  })

  it('have downloads of captured SIP, in the log of the workspace whose call it is', async () => {
    const call = await insertCall(appliance, workspace, [])
    const path = (id: string) => `/workspaces/${workspace.id}/calls/${id}/sip.pcap`
    await succeed(appliance.operator.request('GET', path(call), { headers: from }))
    expect((await appliance.operator.get(path('call_unknown'))).status).to.equal(404)
    const read = await entries('action=sip_capture.read')
    expect(read.map(({ actor, target, ip }) => ({ actor, target, ip }))).to.deep.equal([
      {
        actor: { kind: 'operator', id: null, name: null },
        target: { type: 'sip_capture', id: call, name: null },
        ip: '198.51.100.9',
      },
    ])
  })

  it('are in the log of requests: address and actor, also of what is refused, and the name of a log-in', async () => {
    const person = await newPerson(workspace)
    const viewer = await keyWith(workspace, { scope: 'any', role: 'viewer' })
    await viewer.post('/teams', {}, from)
    await person.api.request('GET', '/me/sessions', { headers: from })
    await logIn('somebody', wrong)
    await workspace.api
      .with({ authorization: 'ApiKey sid-x.guess' })
      .request('GET', '/contacts', { headers: from })
    const sid = /sid-\w+/.exec(viewer.authorization!)![0]
    await eventually(
      async () => Promise.resolve(requests('/api/v1/contacts')),
      (lines) => lines.length > 0,
    )
    const last = (path: string) => requests(`/api/v1${path}`).at(-1)
    expect(last('/teams')).to.deep.include({
      status: 403,
      ip: '198.51.100.9',
      actor: { kind: 'api_key', id: sid },
    })
    expect(last('/me/sessions')).to.deep.include({
      ip: '198.51.100.9',
      actor: { kind: 'agent', id: person.id },
    })
    expect(last('/auth/login')).to.deep.include({
      status: 401,
      ip: '198.51.100.9',
      username: 'somebody',
      actor: null,
    })
    expect(last('/contacts')).to.deep.include({ status: 401, ip: '198.51.100.9', actor: null })
    expect(appliance.log).not.to.include(viewer.authorization!.split('.')[1])
  })
})
