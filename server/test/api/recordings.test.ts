import { access, utimes, writeFile } from 'node:fs/promises'
import { expect } from 'chai'
import { eventually } from '../support/api-client.js'
import type { Appliance, TestWorkspace } from '../support/appliance.js'
import { query } from './database.js'
import { fieldsOf, newActiveNumber, newCall, startUnlimited, succeed } from './fixtures.js'
import { insertRecording, keptFile, rawFile, recordedAudio } from './recording-fixtures.js'

const dayMs = 86_400_000

describe('recordings', () => {
  let appliance: Appliance
  let workspace: TestWorkspace
  let api: TestWorkspace['api']
  before(async () => {
    appliance = await startUnlimited({ JACKFIELD_RECORDINGS_RETENTION_DAYS: '1000' })
  })
  beforeEach(async () => {
    workspace = await appliance.workspace()
    api = workspace.api
  })
  after(async () => appliance?.stop())

  const isThere = async (path: string) =>
    access(path).then(
      () => true,
      () => false,
    )
  const isKept = async (row: { storage_key: string | null }) => isThere(keptFile(appliance, row))

  const gone = async (row: { storage_key: string | null }) =>
    eventually(
      async () => isKept(row),
      (kept) => !kept,
      { what: 'removal of the file' },
    )

  it('are listed newest first, by call and by kind', async () => {
    await newActiveNumber(appliance, workspace)
    const call = await newCall(api)
    const old = await insertRecording(appliance, workspace, { created_at: new Date(Date.now() - 5_000) })
    const ofCall = await insertRecording(appliance, workspace, { call_id: call, kind: 'voicemail' })
    const ids = async (path: string) =>
      ((await succeed(api.get(path))).data as { id: string }[]).map(({ id }) => id)
    expect(await ids('/recordings')).to.deep.equal([ofCall.id, old.id])
    expect(await ids('/recordings?sort_order=asc&limit=1')).to.deep.equal([old.id])
    expect(await ids('/recordings?kind=call')).to.deep.equal([old.id])
    expect(await ids(`/recordings?call_id=${call}`)).to.deep.equal([ofCall.id])
    expect(await ids(`/calls/${call}/recordings`)).to.deep.equal([ofCall.id])
    expect((await api.get(`/calls/${old.call_id}/recordings`)).status).to.equal(404)
    const shown = await succeed(api.get(`/recordings/${ofCall.id}`))
    expect(shown).to.deep.equal({
      ...{ id: ofCall.id, workspace_id: workspace.id, call_id: call, kind: 'voicemail', status: 'ready' },
      ...{ format: 'wav', channels: 1, from: '+12025550199', to: '+12025550100' },
      ...{ duration: 0.5, size: recordedAudio.length, error: null },
      created_at: ofCall.created_at.toISOString(),
      ended_at: ofCall.ended_at?.toISOString(),
      expires_at: new Date(ofCall.created_at.getTime() + 1000 * dayMs).toISOString(),
    })
    await succeed(api.post(`/calls/${call}/hangup`))
  })

  it('are downloaded whole, in ranges, and asked about by HEAD', async () => {
    const row = await insertRecording(appliance, workspace, {
      created_at: new Date('2026-11-21T16:05:00.123Z'),
      from_number: 'sip:ann@acme.example',
    })
    const path = `/recordings/${row.id}/content`
    const get = async (headers: Record<string, string> = {}, method = 'GET') =>
      api.request(method, path, { headers })
    const whole = await get()
    expect(whole.status).to.equal(200)
    expect(whole.body.equals(recordedAudio)).to.equal(true)
    expect(whole.headers).to.include({
      'content-type': 'audio/wav',
      'content-length': String(recordedAudio.length),
      'accept-ranges': 'bytes',
      'content-disposition': 'attachment; filename="call-20261121-160500-sipannacme.example-12025550100.wav"',
    })
    const etag = String(whole.headers['etag'])
    const head = await get({}, 'HEAD')
    expect(head.status).to.equal(200)
    expect(head.body.length).to.equal(0)
    expect(head.headers['content-length']).to.equal(String(recordedAudio.length))
    const part = await get({ range: 'bytes=10-19', 'if-range': etag })
    expect(part.status).to.equal(206)
    expect(part.body.equals(recordedAudio.subarray(10, 20))).to.equal(true)
    expect(part.headers).to.include({
      'content-range': `bytes 10-19/${recordedAudio.length}`,
      'content-length': '10',
    })
    const tail = await get({ range: 'bytes=-100' })
    expect(tail.body.equals(recordedAudio.subarray(-100))).to.equal(true)
    const beyond = await get({ range: `bytes=${recordedAudio.length}-` })
    expect(beyond.status).to.equal(416)
    expect(beyond.headers['content-range']).to.equal(`bytes */${recordedAudio.length}`)
    expect(beyond.body.statusCode).to.equal(416)
    expect((await get({ 'if-none-match': etag })).status).to.equal(304)
    expect((await get({ range: 'bytes=10-19', 'if-range': '"another"' })).status).to.equal(200)
  })

  it('have no content before they are ready, nor when their file is lost', async () => {
    const processing = await insertRecording(appliance, workspace, { status: 'failed', storage_key: null })
    expect((await api.get(`/recordings/${processing.id}/content`)).status).to.equal(409)
    const lost = await insertRecording(appliance, workspace)
    await query(appliance, 'UPDATE recordings SET storage_key = ? WHERE id = ?', ['x/no.wav', lost.id])
    const answer = await api.get(`/recordings/${lost.id}/content`)
    expect(answer.status).to.equal(404)
    expect(answer.headers['content-type']).to.contain('json')
    expect(answer.headers).to.not.have.any.keys('etag', 'content-disposition', 'accept-ranges')
    const elsewhere = await insertRecording(appliance, workspace, { storage: 's3' })
    expect((await api.get(`/recordings/${elsewhere.id}/content`)).status, 'S3 is not configured').to.equal(
      503,
    )
  })

  it('are deleted with their files, and the log tells who did it', async () => {
    const row = await insertRecording(appliance, workspace)
    expect(await isKept(row)).to.equal(true)
    await succeed(api.delete(`/recordings/${row.id}`))
    expect((await api.get(`/recordings/${row.id}`)).status).to.equal(404)
    await gone(row)
    const log = await succeed(api.get('/audit-log?action=recording.delete'))
    expect(log.data).to.have.length(1)
    expect(log.data[0].target.id).to.equal(row.id)
  })

  it('can be paused only while they are recorded', async () => {
    const row = await insertRecording(appliance, workspace)
    for (const verb of ['pause', 'resume']) {
      const answer = await api.post(`/recordings/${row.id}/${verb}`)
      expect(answer.status).to.equal(400)
      expect(answer.body.message).to.contain('ready')
    }
  })

  it('go with their workspace', async () => {
    const row = await insertRecording(appliance, workspace)
    await succeed(appliance.operator.delete(`/workspaces/${workspace.id}`))
    await gone(row)
    const rows = await query(appliance, 'SELECT id FROM recordings WHERE workspace_id = ?', [workspace.id])
    expect(rows).to.deep.equal([])
  })

  it('are kept for as long as their workspace says, or else the operator', async () => {
    expect((await succeed(api.get('/profile'))).recording_retention_days).to.equal(null)
    for (const wrong of [0, -1, 1.5, 36_501, '7']) {
      const answer = await api.patch('/profile', { recording_retention_days: wrong })
      expect(fieldsOf(answer), String(wrong)).to.deep.equal(['recording_retention_days'])
    }
    await succeed(api.patch('/profile', { recording_retention_days: 7 }))
    const other = await appliance.workspace()
    const aged = async (days: number, owner: TestWorkspace) =>
      insertRecording(appliance, owner, { created_at: new Date(Date.now() - days * dayMs) })
    const [expired, young] = [await aged(7.01, workspace), await aged(6.9, workspace)]
    const [ancient, kept] = [await aged(1000.1, other), await aged(999, other)]
    const unfinished = await insertRecording(appliance, workspace, {
      ...{ status: 'processing', storage: null, storage_key: null },
      created_at: new Date(Date.now() - 8 * dayMs),
    })
    const shown = await succeed(api.get(`/recordings/${young.id}`))
    expect(shown.expires_at).to.equal(new Date(young.created_at.getTime() + 7 * dayMs).toISOString())
    const left = rawFile(appliance, 'rec_01jzzzzzzzzzzzzzzzzzzzzzzz')
    const needed = rawFile(appliance, unfinished.id)
    const longAgo = new Date(Date.now() - 2 * dayMs)
    for (const path of [left, needed]) {
      await writeFile(path, recordedAudio)
      await utimes(path, longAgo, longAgo)
    }
    // It is looked for at every start, and every hour.
    await appliance.stopServer()
    await appliance.startServer()
    await gone(expired)
    await gone(ancient)
    await eventually(
      async () => isThere(left),
      (there) => !there,
      { what: 'removal of what the switch left' },
    )
    expect(await isThere(needed), 'what is not stored yet').to.equal(true)
    expect((await api.get(`/recordings/${expired.id}`)).status).to.equal(404)
    for (const row of [young, kept]) expect(await isKept(row)).to.equal(true)
    expect((await api.get(`/recordings/${young.id}`)).status).to.equal(200)
    expect((await api.get(`/recordings/${unfinished.id}`)).status).to.equal(200)
    await succeed(api.patch('/profile', { recording_retention_days: null }))
    const forever = await succeed(api.get(`/recordings/${young.id}`))
    expect(forever.expires_at).to.equal(new Date(young.created_at.getTime() + 1000 * dayMs).toISOString())
  })
})
