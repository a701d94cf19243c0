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
import { WebhookReceiver } from '../support/webhook-receiver.js'
import { query } from './database.js'
import { fieldsOf, startUnlimited, succeed } from './fixtures.js'
import { newMediaCarrier, newTextingNumber, sendText } from './message-fixtures.js'

interface ShownMessage {
  status: string
  error_code: string | null
  error_message: string | null
  media: ShownFile[]
  media_urls: string[]
}

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
    await appliance?.stop()
    await server?.stop()
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
    return (await fetched(await succeed(sendText(workspace.api, from, { media_urls })))).media
  }

  /** The message once its files are there, or it has failed. */
  async function fetched({ id }: { id: string }, api = workspace.api): Promise<ShownMessage> {
    return eventually(
      async () => (await succeed(api.get(`/messages/${id}`))) as ShownMessage,
      ({ media, status }) => media.length > 0 || status === 'failed',
    )
  }

  it('are fetched after the message was accepted, and shown to whoever has their address', async () => {
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

  it('hold up no answer: a server that takes its time delays its message alone', async () => {
    let release: () => void = () => undefined
    const held = new Promise<void>((done) => (release = done))
    const media_urls = [server.serve('/held', (response) => void held.then(() => response.end(pictures.gif)))]
    const accepted = await succeed(sendText(workspace.api, from, { media_urls }))
    expect(accepted).to.deep.include({
      status: 'queued',
      media_urls,
      media: [],
      cost: null,
      error_code: null,
    })
    const queue = 'SELECT message_id FROM message_queue WHERE message_id = ?'
    expect(await query(appliance, queue, [accepted.id]), 'not yet given to a carrier').to.have.length(0)
    await sendFiles(server.serve('/1', pictures.png))
    release()
    const sent = await fetched(accepted)
    expect(sent).to.deep.include({ media_urls })
    expect(sent.media).to.have.length(1)
    expect(await query(appliance, queue, [accepted.id])).to.have.length(1)
  })

  it('that cannot be had fail their message, with all that is wrong, and cost nothing then', async () => {
    const { balance } = await succeed(workspace.api.get('/credit'))
    const before = await kept()
    const [fine, page, large] = [
      server.serve('/fine.gif', pictures.gif),
      server.serve('/page.png', Buffer.from('<html><script>alert(1)</script>')),
      server.serve('/large.wav', wavFile(440, 70)),
    ]
    const wrong = await succeed(
      sendText(workspace.api, from, { media_urls: [fine, page, server.url('/none')] }),
    )
    const failed = await fetched(wrong)
    expect(failed).to.include({ status: 'failed', error_code: 'media_unavailable' })
    expect(failed.error_message).to.match(
      /^media_urls\.1 must be .*; media_urls\.2 cannot be fetched: it answers 404$/,
    )
    expect(failed.media_urls).to.have.length(3)
    const tooLarge = await fetched(await succeed(sendText(workspace.api, from, { media_urls: [large] })))
    expect(tooLarge.error_message).to.match(/media_urls\.0 is too large/)
    expect(await refusedFields(['http://10.1.2.3/a.png', 'http://[::1]:1/a.png'])).to.deep.equal([
      ...['media_urls.0', 'media_urls.1'],
    ])
    expect((await succeed(workspace.api.get('/credit'))).balance, 'paid back').to.equal(balance)
    expect(await kept()).to.equal(before)
  })

  it('that cannot be had are told to webhooks as message.failed, once, with why', async () => {
    const receiver = new WebhookReceiver()
    await receiver.start()
    try {
      const events = ['message.failed', 'message.sent']
      const { id } = await succeed(workspace.api.post('/webhooks', { url: receiver.url(), events }))
      const media_urls = [server.url('/not-there')]
      const sent = await succeed(sendText(workspace.api, from, { media_urls }))
      const failed = await fetched(sent)
      await eventually(
        async () => receiver.received,
        ({ length }) => length > 0,
        { what: 'the webhook' },
      )
      const later = await succeed(sendText(workspace.api, from, { media_urls }))
      await eventually(
        async () => receiver.received,
        (told) => told.some(({ body }) => body.data.id === later.id),
        { what: 'the webhook of a later message' },
      )
      const [told, ...more] = receiver.received.filter(({ body }) => body.data.id === sent.id)
      expect(more).to.deep.equal([])
      expect(told!.body).to.include({ event: 'message.failed', workspace_id: workspace.id })
      expect(told!.body.data).to.deep.include({
        ...{ id: sent.id, status: 'failed', error_code: 'media_unavailable', media: [] },
        error_message: failed.error_message,
      })
      await succeed(workspace.api.delete(`/webhooks/${id}`))
    } finally {
      await receiver.stop()
    }
  })

  it('survive the server being killed once their message is accepted', async () => {
    const [file] = await sendFiles(server.serve('/1', pictures.progressiveJpeg))
    await appliance.killServer()
    await appliance.startServer()
    const shown = await visitor().get(pathOf(file!.url))
    expect(shown.body.equals(pictures.progressiveJpeg)).to.equal(true)
  })

  it('are fetched again when the server was killed meanwhile, and what it had kept is removed', async () => {
    const { host, port, user, password } = appliance.mariadb
    const other = await createConnection({ host, port, user, password, database: appliance.databaseName })
    let release: () => void = () => undefined
    const held = new Promise<void>((done) => (release = done))
    const url = server.serve('/1', (response) => void held.then(() => response.end(pictures.png)))
    const before = await kept()
    const accepted = await succeed(sendText(workspace.api, from, { media_urls: [url] }))
    // The file is kept, and its row waits for the message's.
    await other.beginTransaction()
    await other.query('SELECT id FROM messages WHERE id = ? FOR UPDATE', [accepted.id])
    release()
    await eventually(kept, (files) => files === before + 1)
    await appliance.killServer()
    await other.end()
    await query(appliance, 'UPDATE outbox SET due_at = NOW(3) WHERE kind = "message_media.fetch_outbound"')
    await appliance.startServer()
    expect((await fetched(accepted)).media).to.have.length(1)
    const removals = 'kind = "message_media.remove"'
    expect(await query(appliance, `SELECT id FROM outbox WHERE ${removals}`)).to.have.length(1)
    await query(appliance, `UPDATE outbox SET due_at = NOW(3) - INTERVAL 1 DAY WHERE ${removals}`)
    await eventually(kept, (files) => files === before + 1)
  })

  it('go with their workspace', async () => {
    const gone = await appliance.workspace()
    const number = await newTextingNumber(appliance, gone, { carrier })
    const before = await kept()
    const media_urls = [server.serve('/1', pictures.png), server.serve('/2', pictures.gif)]
    const accepted = await succeed(sendText(gone.api, number.number, { media_urls }))
    const { media } = await fetched(accepted, gone.api)
    expect(await kept()).to.equal(before + 2)
    await succeed(appliance.operator.delete(`/workspaces/${gone.id}`))
    await eventually(kept, (files) => files === before)
    expect((await visitor(gone.id).get(pathOf(media[0]!.url))).status).to.equal(404)
  })
})
