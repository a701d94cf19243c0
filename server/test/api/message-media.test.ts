/** The files of messages as their senders and readers see them. */
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { createConnection } from 'mysql2/promise'
import { eventually } from '../support/api-client.js'
import type { Appliance, TestWorkspace } from '../support/appliance.js'
import { wavFile } from '../support/audio-files.js'
import { FileServer } from '../support/file-server.js'
import * as pictures from '../support/pictures.js'
import { query } from './database.js'
import { fieldsOf, startUnlimited, succeed } from './fixtures.js'
import { newMediaCarrier, newTextingNumber, sendText } from './message-fixtures.js'

interface ShownFile {
  url: string
  content_type: string
  bytes: number
}

describe('files of messages in the API', function () {
  this.timeout(60_000)
  let appliance: Appliance
  let workspace: TestWorkspace
  let server: FileServer
  let from: string
  let carrier: string

  before(async () => {
    server = await FileServer.start()
    appliance = await startUnlimited({
      JACKFIELD_HTTP_CLIENT_ALLOWED_NETWORKS: '127.0.0.0/8',
      JACKFIELD_MESSAGES_MAX_MEDIA_MB: '2',
    })
    workspace = await appliance.workspace()
    carrier = await newMediaCarrier(appliance)
    from = (await newTextingNumber(appliance, workspace, { carrier })).number
  })
  after(async () => {
    await appliance.stop()
    await server.stop()
  })

  const visitor = (host = workspace.id) =>
    workspace.api.with({ host: `${host}.localhost`, authorization: undefined })
  const pathOf = (url: string) => new URL(url).pathname.replace('/api/v1', '')
  const kept = async () => {
    const files = await readdir(join(appliance.mediaDirectory, 'messages'), {
      recursive: true,
      withFileTypes: true,
    }).catch(() => [])
    return files.filter((one) => one.isFile()).length
  }
  const refusedFields = async (media_urls: string[]) =>
    fieldsOf(await sendText(workspace.api, from, { media_urls }))

  async function sendFiles(...media_urls: string[]): Promise<ShownFile[]> {
    const { media } = await succeed(sendText(workspace.api, from, { media_urls }))
    return media as ShownFile[]
  }

  it('are fetched when they are sent, and shown to whoever has their address', async () => {
    const wav = wavFile(440, 0.1)
    const [photo, sound] = await sendFiles(server.serve('/1', pictures.jpeg), server.serve('/2', wav))
    expect(photo).to.include({ content_type: 'image/jpeg', bytes: pictures.jpeg.length })
    expect(sound).to.include({ content_type: 'audio/wav', bytes: wav.length })
    expect(new URL(photo!.url).hostname).to.equal(`${workspace.id}.localhost`)
    const shown = await visitor().get(pathOf(photo!.url))
    expect(shown.status).to.equal(200)
    expect(shown.body.equals(pictures.jpeg)).to.equal(true)
    expect(shown.headers).to.include({
      'content-type': 'image/jpeg',
      'content-length': String(pictures.jpeg.length),
      'cache-control': 'private, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
    })
    expect(shown.headers['content-disposition']).to.match(/^inline; filename="att_[0-9a-z]+\.jpg"$/)
    const part = await visitor().request('GET', pathOf(sound!.url), { headers: { range: 'bytes=0-3' } })
    expect([part.status, part.body.toString()]).to.deep.equal([206, 'RIFF'])
    const again = { headers: { 'if-none-match': String(shown.headers['etag']) } }
    expect((await visitor().request('GET', pathOf(photo!.url), again)).status).to.equal(304)
  })

  it('are hidden from all others', async () => {
    const [file] = await sendFiles(server.serve('/1', pictures.jpeg))
    const other = await appliance.workspace()
    const path = pathOf(file!.url)
    const changed = path.slice(0, -1) + (path.endsWith('0') ? '1' : '0')
    const id = path.split('/')[2]
    for (const [host, wrong] of [
      [other.id, path],
      ['admin', path],
      [workspace.id, changed],
      [workspace.id, `/media/${id}/0`],
      [workspace.id, `/media/${id}/`],
      [workspace.id, `/media/att_0/${path.split('/')[3]}`],
    ] as const) {
      expect((await visitor(host).get(wrong)).status, `${host} ${wrong}`).to.equal(404)
    }
  })

  it('are refused together, by name, and cost nothing then', async () => {
    const { balance } = await succeed(workspace.api.get('/credit'))
    const before = await kept()
    const [fine, page, large] = [
      server.serve('/fine.gif', pictures.gif),
      server.serve('/page.png', Buffer.from('<html><script>alert(1)</script>')),
      server.serve('/large.wav', wavFile(440, 70)),
    ]
    expect(await refusedFields([fine, page, server.url('/none')])).to.deep.equal([
      ...['media_urls.1', 'media_urls.2'],
    ])
    expect(await refusedFields([large])).to.deep.equal(['media_urls.0'])
    expect(await refusedFields(['http://10.1.2.3/a.png', 'http://[::1]:1/a.png'])).to.deep.equal([
      ...['media_urls.0', 'media_urls.1'],
    ])
    expect((await succeed(workspace.api.get('/credit'))).balance).to.equal(balance)
    expect(await kept()).to.equal(before)
  })

  it('survive the server being killed once their message is accepted', async () => {
    const [file] = await sendFiles(server.serve('/1', pictures.progressiveJpeg))
    await appliance.killServer()
    await appliance.startServer()
    const shown = await visitor().get(pathOf(file!.url))
    expect(shown.body.equals(pictures.progressiveJpeg)).to.equal(true)
  })

  it('are removed when the server was killed before that', async () => {
    await sendFiles(server.serve('/1', pictures.png))
    const before = await kept()
    const { host, port, user, password } = appliance.mariadb
    const other = await createConnection({ host, port, user, password, database: appliance.databaseName })
    // The files are kept, and their message waits for its conversation.
    await other.beginTransaction()
    await other.query('SELECT id FROM conversations FOR UPDATE')
    const waiting = sendText(workspace.api, from, { media_urls: [server.url('/1')] }).catch(() => undefined)
    await eventually(kept, (files) => files === before + 1)
    await appliance.killServer()
    await waiting
    await other.end()
    await appliance.startServer()
    const removals = 'kind = "message_media.remove"'
    expect(await query(appliance, `SELECT id FROM outbox WHERE ${removals}`)).to.have.length(1)
    await query(appliance, `UPDATE outbox SET due_at = NOW(3) - INTERVAL 1 DAY WHERE ${removals}`)
    await eventually(kept, (files) => files === before)
  })

  it('go with their workspace', async () => {
    const gone = await appliance.workspace()
    const number = await newTextingNumber(appliance, gone, { carrier })
    const before = await kept()
    const media_urls = [server.serve('/1', pictures.png), server.serve('/2', pictures.gif)]
    const { media } = await succeed(sendText(gone.api, number.number, { media_urls }))
    expect(await kept()).to.equal(before + 2)
    await succeed(appliance.operator.delete(`/workspaces/${gone.id}`))
    await eventually(kept, (files) => files === before)
    expect((await visitor(gone.id).get(pathOf(media[0].url))).status).to.equal(404)
  })
})
