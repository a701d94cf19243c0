/** What a workspace may keep: judged by bytes, before anything is converted, and counted exactly. */
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { eventually } from '../support/api-client.js'
import type { Appliance, TestWorkspace } from '../support/appliance.js'
import { multipart, wavFile } from '../support/audio-files.js'
import { FileServer } from '../support/file-server.js'
import * as pictures from '../support/pictures.js'
import { query } from './database.js'
import { newPerson, startUnlimited, succeed } from './fixtures.js'
import { newMediaCarrier, newTextingNumber, sendText } from './message-fixtures.js'

const run = promisify(execFile)

describe('bytes that a workspace keeps', function () {
  this.timeout(60_000)
  let appliance: Appliance
  let workspace: TestWorkspace
  let server: FileServer
  let directory: string

  before(async () => {
    directory = await mkdtemp(join(tmpdir(), 'jackfield-kept-'))
    server = await FileServer.start()
    appliance = await startUnlimited({ JACKFIELD_HTTP_CLIENT_ALLOWED_NETWORKS: '127.0.0.0/8' })
  })
  after(async () => {
    await appliance?.stop()
    await server?.stop()
    await rm(directory, { recursive: true, force: true })
  })
  beforeEach(async () => (workspace = await appliance.workspace()))

  const upload = async (content: Buffer, name = 'sent.wav') =>
    workspace.api.request('POST', '/audios', { raw: multipart({ title: 'Sent' }, { name, content }) })
  const used = async () =>
    (await succeed(appliance.operator.get(`/workspaces/${workspace.id}`))).storage_bytes
  const allow = async (max_storage_mb: number | null) =>
    succeed(appliance.operator.patch(`/workspaces/${workspace.id}`, { max_storage_mb }))
  /** What the rows say. */
  const counted = async () => {
    const [row] = await query(
      appliance,
      `SELECT (SELECT COALESCE(SUM(size), 0) FROM audios WHERE workspace_id = ?)
        + (SELECT COALESCE(SUM(bytes), 0) FROM message_attachments WHERE workspace_id = ?)
        + (SELECT COALESCE(SUM(bytes), 0) FROM message_uploads WHERE workspace_id = ?) AS bytes`,
      [workspace.id, workspace.id, workspace.id],
    )
    return Number(row.bytes)
  }

  it('judges an upload by what it will be kept as, before it is converted', async () => {
    const silence = ['-f', 'lavfi', '-i', 'anullsrc=r=8000:cl=mono', '-t', '600', '-c:a', 'flac']
    const small = join(directory, 'small.ogg')
    await run('ffmpeg', ['-v', 'error', '-y', ...silence, '-f', 'ogg', small])
    const content = await readFile(small)
    expect(content.length).to.be.below(300_000)
    await allow(9)
    const refused = await upload(content, 'small.ogg')
    expect(refused.status).to.equal(403)
    expect(refused.body.message).to.equal('The workspace keeps as many files as it may, 9 MB: delete some')
    expect(await used()).to.equal(0)
    await allow(10)
    const made = await succeed(upload(content, 'small.ogg'))
    expect(made.size).to.be.above(9_000_000)
    expect(await used()).to.equal(made.size)
    expect((await upload(wavFile(440, 60))).status, 'no room for another').to.equal(403)
    expect((await succeed(workspace.api.get('/profile'))).limits.storage_mb).to.deep.equal({
      max: 10,
      used: 10,
    })
    await succeed(workspace.api.delete(`/audios/${made.id}`))
    expect(await used()).to.equal(0)
  })

  it('counts pictures of agents as they are kept, replaced and deleted, and those of versions that kept no size', async () => {
    const agent = await newPerson(workspace)
    const put = async (picture: Buffer) =>
      workspace.api.request('PATCH', `/agents/${agent.id}/avatar`, {
        raw: multipart({}, { name: 'a.png', type: 'image/png', content: picture }),
      })
    await succeed(put(pictures.png))
    const kept = await used()
    expect(kept).to.be.above(0)
    await succeed(put(pictures.animatedGif))
    const replaced = await used()
    expect(replaced).to.be.above(0).and.not.to.equal(kept)
    await allow(0)
    const refused = await put(pictures.jpeg)
    expect(refused.status).to.equal(403)
    expect(refused.body.message).to.include('keeps as many files as it may')
    expect(await used()).to.equal(replaced)
    await allow(null)
    await query(appliance, 'UPDATE agents SET avatar_bytes = 0 WHERE id = ?', [agent.id])
    await query(appliance, 'DELETE FROM kept_bytes WHERE workspace_id = ?', [workspace.id])
    await appliance.stopServer()
    await appliance.startServer()
    expect(await used(), 'measured at the start').to.equal(replaced)
    await succeed(workspace.api.patch(`/agents/${agent.id}`, { avatar: null }))
    expect(await used()).to.equal(0)
    await succeed(put(pictures.png))
    await succeed(workspace.api.delete(`/agents/${agent.id}`))
    expect(await used()).to.equal(0)
  })

  it('is never passed by uploads that race', async () => {
    await allow(1)
    const answers = await Promise.all(Array.from({ length: 6 }, async () => upload(wavFile(440, 20))))
    const kept = answers.filter(({ status }) => status === 201).length
    expect(kept, '320 KB each').to.equal(3)
    expect(await used()).to.equal(await counted())
    expect(await used()).to.be.at.most(1_048_576)
  })

  it('counts files of messages and uploads, through restarts', async () => {
    const carrier = await newMediaCarrier(appliance)
    const { number: from } = await newTextingNumber(appliance, workspace, { carrier })
    const file = await succeed(
      workspace.api.request('POST', '/messages/media', {
        raw: multipart({}, { name: 'a.png', content: pictures.png }),
      }),
    )
    expect(await used()).to.equal(pictures.png.length)
    await succeed(sendText(workspace.api, from, { media_urls: [file.url] }))
    expect(await used(), 'a message takes it over').to.equal(pictures.png.length)
    const { id } = await succeed(
      sendText(workspace.api, from, { media_urls: [server.serve('/1', pictures.gif)] }),
    )
    await eventually(
      async () => succeed(workspace.api.get(`/messages/${id}`)),
      ({ media }) => media.length === 1,
    )
    expect(await used()).to.equal(pictures.png.length + pictures.gif.length)
    await appliance.killServer()
    await appliance.startServer()
    expect(await used()).to.equal(await counted())
    await allow(0)
    const full = await succeed(sendText(workspace.api, from, { media_urls: [server.url('/1')] }))
    const failed = await eventually(
      async () => succeed(workspace.api.get(`/messages/${full.id}`)),
      ({ status }) => status === 'failed',
    )
    expect(failed.error_code).to.equal('storage_full')
  })

  it('is refused with 503 and a time to come again when the disk is nearly full', async () => {
    const small = await startUnlimited({ JACKFIELD_DISK_MIN_MB: '900000000' })
    try {
      const { api } = await small.workspace()
      for (const raw of [multipart({ title: 'Sent' }, { name: 'a.wav', content: wavFile(440, 1) })]) {
        const refused = await api.request('POST', '/audios', { raw })
        expect(refused.status).to.equal(503)
        expect(refused.body.message).to.equal('The disk for files is nearly full: try again later')
        expect(Number(refused.headers['retry-after'])).to.be.above(0)
      }
      expect((await api.post('/audios', { title: 'Said', text: 'Hello' })).status).to.equal(503)
    } finally {
      await small.stop()
    }
  })
})
