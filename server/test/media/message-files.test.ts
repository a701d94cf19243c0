/** Files of messages on a real MariaDB, a real disk and a real S3, fetched from a real server. */
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { pino } from 'pino'
import { Database } from '../../src/infrastructure/database/database.js'
import { newId } from '../../src/infrastructure/database/ids.js'
import { OutboxJob } from '../../src/infrastructure/database/outbox.js'
import { entities } from '../../src/app/entities.js'
import { ApiError, ValidationError } from '../../src/infrastructure/http/errors.js'
import { parseNetwork } from '../../src/lib/networks.js'
import { PublicUrls } from '../../src/infrastructure/http/public-urls.js'
import { Media } from '../../src/features/messages/media/media.js'
import { MessageAttachment } from '../../src/features/messages/media/message-attachment.entity.js'
import { Message } from '../../src/features/messages/message.entity.js'
import { eventually } from '../support/api-client.js'
import { wavFile } from '../support/audio-files.js'
import { FileServer } from '../support/file-server.js'
import { sharedMariadb } from '../support/mariadb.js'
import * as pictures from '../support/pictures.js'
import { S3 } from '../support/s3.js'

const workspace = { id: 'acme' }
const noBucket = {
  s3_bucket: '',
  s3_endpoint: '',
  s3_region: '',
  s3_access_key: '',
  s3_secret_key: '',
  s3_path_style: '',
}

describe('files of messages', function () {
  this.timeout(60_000)
  let database: Database
  let server: FileServer
  let s3: S3
  let directory: string
  let media: Media
  const arrived: string[] = []
  const queued: string[] = []
  const failed: string[] = []
  const others: Media[] = []

  before(async () => {
    const mariadb = await sharedMariadb()
    const { host, port, user, password } = mariadb
    const name = await mariadb.createDatabase()
    await mariadb.migrate(name)
    database = new Database({ host, port, user, password, name, socket: '', pool: 10 }, entities)
    await database.connect()
    directory = await mkdtemp(join(tmpdir(), 'jackfield-message-files-'))
    server = await FileServer.start()
    s3 = await S3.start()
    media = mediaWith(noBucket)
    media.start()
  })
  after(async () => {
    await Promise.all([media, ...others].map(async (one) => one?.stop()))
    await Promise.all([server?.stop(), s3?.stop(), database?.close()])
    await rm(directory, { recursive: true, force: true })
  })

  function mediaWith(bucket: typeof noBucket): Media {
    return new Media({
      ...{ database, mediaDirectory: directory, bucket: bucket as never, maxMegabytes: 1 },
      network: { allowed_networks: [parseNetwork('127.0.0.0/8')!], dns_servers: [] },
      urls: new PublicUrls('http://{workspace}.localhost'),
      credentialsOf: async (id) =>
        id === 'car_1' ? { url: server.url('/send'), authorization: 'Bearer x' } : null,
      storedBytes: {
        check: async () => Promise.resolve(),
        take: async () => Promise.resolve(),
        hasRoom: async () => Promise.resolve(true),
      },
      enqueue: async (_, { id }) => void queued.push(id),
      fail: async (_, { id, error_message }) => void failed.push(`${id}: ${error_message}`),
      arrived: async (_, { id, attachments }) => void arrived.push(`${id}: ${attachments}`),
      log: pino({ level: 'silent' }),
    })
  }

  /** Keys of the files on the disk. */
  async function kept(): Promise<string[]> {
    const all = await readdir(join(directory, 'messages'), { recursive: true, withFileTypes: true }).catch(
      () => [],
    )
    return all.filter((one) => one.isFile()).map((one) => one.name)
  }

  async function attach(urls: readonly string[], store = media.store) {
    const files = await store.fetchAll(workspace, urls)
    const message = { id: newId('msg'), workspace_id: workspace.id }
    return database.transaction(async (tx) => store.attach(tx, message, files))
  }

  async function refusal(urls: readonly string[]): Promise<ValidationError> {
    return media.store.fetchAll(workspace, urls).then(
      () => {
        throw new Error('they were taken')
      },
      (error: unknown) => error as ValidationError,
    )
  }

  async function read({ id, workspace_id, token }: MessageAttachment, store = media.store): Promise<Buffer> {
    const answer = await store.find(workspace_id, id, token)
    return Buffer.concat((await (await answer!.file.open(undefined)).toArray()) as Buffer[])
  }

  it('are kept in their order, as what their bytes say', async () => {
    const wav = wavFile(440, 0.2)
    const urls = [
      server.serve('/slow.gif', (response) => setTimeout(() => response.end(pictures.gif), 200)),
      server.serve('/a.png', pictures.png),
      server.serve('/b', Buffer.concat([pictures.jpeg, Buffer.from('<script>')])),
      server.serve('/c', wav),
    ]
    const rows = await attach(urls)
    expect(rows.map(({ content_type }) => content_type)).to.deep.equal([
      ...['image/gif', 'image/png', 'image/jpeg', 'audio/wav'],
    ])
    expect(rows.map(({ source_url }) => source_url)).to.deep.equal(urls)
    expect(rows.map(({ position }) => position)).to.deep.equal([0, 1, 2, 3])
    const contents = await Promise.all(rows.map(async (row) => read(row)))
    for (const [index, wanted] of [pictures.gif, pictures.png, pictures.jpeg, wav].entries()) {
      expect(contents[index]!.equals(wanted), String(index)).to.equal(true)
      expect(rows[index]!.bytes).to.equal(wanted.length)
    }
    expect(await database.platformTable(OutboxJob).count()).to.equal(0)
  })

  it('are refused with all that is wrong, and nothing of them is kept', async () => {
    const before = await kept()
    const urls = [
      server.serve('/fine.png', pictures.png),
      server.serve('/page', Buffer.from('<html>')),
      server.url('/nowhere'),
      'http://10.0.0.1/x.png',
      server.serve('/resets', (response) => response.socket?.destroy()),
      'ftp://example.com/x.png',
    ]
    const { errors } = await refusal(urls)
    expect(errors.map(({ field }) => field)).to.deep.equal([1, 2, 3, 4, 5].map((n) => `media_urls.${n}`))
    const rules = [
      /must be a whole JPEG/,
      /it answers 404/,
      /public address/,
      /cannot be fetched/,
      /http or https/,
    ]
    for (const [index, { field, messages }] of errors.entries()) {
      expect(messages[0]).to.match(rules[index]!)
      expect(messages[0]!.startsWith(`${field} `)).to.equal(true)
    }
    expect(await kept()).to.deep.equal(before)
  })

  it('are no larger together than they may be', async () => {
    const half = wavFile(440, 17)
    expect(half.length).to.be.within(524_289, 1_000_000)
    const urls = [server.serve('/1.wav', half), server.serve('/2.wav', half)]
    expect(await attach(urls.slice(1))).to.have.length(1)
    const { errors } = await refusal(urls)
    expect(errors.map(({ messages }) => messages[0]).join()).to.match(/all files of a message may have 1 MB/)
  })

  it('stay with nobody else’s message, and are no longer there than an hour when no message takes them', async () => {
    const before = (await kept()).length
    const [taken, given, forgotten] = await Promise.all(
      ['/t.png', '/g.png', '/f.png'].map(async (path) =>
        media.store.fetchAll(workspace, [server.serve(path, pictures.png)]),
      ),
    )
    expect(await kept()).to.have.length(before + 3)
    const refused = database.transaction(async (tx) => {
      await media.store.attach(tx, { id: 'msg_1', workspace_id: 'acme' }, taken!)
      throw new Error('no credit')
    })
    expect(await refused.catch((error: unknown) => (error as Error).message)).to.equal('no credit')
    await media.store.discard(given!)
    await eventually(kept, (files) => files.length === before + 2)
    await database.transaction(async (tx) =>
      media.store.attach(tx, { id: 'msg_1', workspace_id: 'acme' }, taken!),
    )
    const jobs = await database.platformTable(OutboxJob).find()
    expect(jobs).to.have.length(1)
    expect(jobs[0]!.due_at.getTime() - Date.now()).to.be.within(3_500_000, 3_600_000)
    await database.platformTable(OutboxJob).update({ id: jobs[0]!.id }, { due_at: new Date() })
    await eventually(kept, (files) => files.length === before + 1)
    const late = await database
      .transaction(async (tx) => media.store.attach(tx, { id: 'msg_2', workspace_id: 'acme' }, forgotten!))
      .catch((error: unknown) => error as ApiError)
    expect(late).to.include({ status: 503 })
  })

  it('are shown to whoever has their address, the whole of it', async () => {
    const [row] = await attach([server.url('/a.png')])
    const { id, token } = row!
    expect(await media.store.find('acme', id, token)).to.not.equal(null)
    for (const [of, one, other] of [
      ['acme', id, `${token.slice(1)}0`],
      ['acme', id, ''],
      ['acme', newId('att'), token],
      ['other', id, token],
    ] as const) {
      expect(await media.store.find(of, one, other)).to.equal(null)
    }
  })

  it('lie in S3 where recordings do, and older ones where they were', async () => {
    const { endpoint, bucket, accessKey, secretKey } = s3.client
    const inS3 = mediaWith({
      ...{ s3_bucket: bucket, s3_endpoint: endpoint, s3_region: 'us-east-1', s3_path_style: 'true' },
      ...{ s3_access_key: accessKey, s3_secret_key: secretKey },
    })
    others.push(inS3)
    const [older] = await attach([server.url('/a.png')])
    const [row] = await attach([server.url('/a.png')], inS3.store)
    expect(row!.storage).to.equal('s3')
    expect((await read(row!, inS3.store)).equals(pictures.png)).to.equal(true)
    expect((await read(older!, inS3.store)).equals(pictures.png)).to.equal(true)
    await s3.goAway()
    const away = await inS3.store.fetchAll(workspace, [server.url('/a.png')]).catch((error: unknown) => error)
    expect(away).to.include({ status: 503 })
    await s3.comeBack()
    await database.transaction(async (tx) => tx.delete(MessageAttachment, row!.id))
    await database.platformTable(OutboxJob).clear()
  })

  it('go with their workspace', async () => {
    const gone = { id: 'gone' }
    const files = await media.store.fetchAll(gone, [server.url('/a.png'), server.url('/b')])
    const before = (await kept()).length
    await database.transaction(async (tx) =>
      media.store.attach(tx, { id: 'msg_3', workspace_id: 'gone' }, files),
    )
    await database.transaction(async (tx) => media.store.deleteSome(tx, gone))
    expect(await database.platformTable(MessageAttachment).countBy({ workspace_id: 'gone' })).to.equal(0)
    await eventually(kept, (left) => left.length === before - 2)
  })

  describe('that come in', () => {
    async function arrive(urls: readonly string[], carrier_id: string | null = null): Promise<string> {
      const now = new Date()
      const id = newId('msg')
      await database.transaction(async (tx) => {
        await tx.insert(Message, {
          ...{ id, workspace_id: 'acme', conversation_id: 'cnv_1', phone_number_id: 'pn_1', position: 1 },
          ...{ system_number: '1', client_number: '2', direction: 'inbound', status: 'received' },
          ...{ sender_type: 'client', body: '', encoding: 'gsm7', segments: 1, attachments: 0, price: 0 },
          carrier_id,
          ...{ created_at: now, updated_at: now },
        })
        await media.inbound.fetchInbound(tx, { id, workspace_id: 'acme' }, urls)
      })
      return id
    }
    const toldOf = (id: string) => arrived.filter((one) => one.startsWith(id))

    it('are fetched, and then it is told, once', async () => {
      const id = await arrive([server.url('/a.png'), server.url('/page'), server.url('/c')])
      await eventually(
        async () => toldOf(id),
        (told) => told.length > 0,
      )
      expect(toldOf(id)).to.deep.equal([`${id}: 2`])
      const rows = await database.platformTable(MessageAttachment).find({
        where: { message_id: id },
        order: { position: 'ASC' },
      })
      expect(rows.map(({ content_type }) => content_type)).to.deep.equal(['image/png', 'audio/wav'])
      expect(await database.platformTable(Message).findOneBy({ id })).to.include({ attachments: 2 })
    })

    it('are fetched with the carrier’s credentials where they are its own', async () => {
      const other = await FileServer.start()
      const elsewhere = other.serve('/a.png', pictures.png)
      const own = server.serve('/own.png', pictures.png)
      const id = await arrive([own, elsewhere], 'car_1')
      await eventually(
        async () => toldOf(id),
        (told) => told.length > 0,
      )
      await other.stop()
      expect(toldOf(id)).to.deep.equal([`${id}: 2`])
      expect([server.authorizationAt('/own.png'), other.authorizationAt('/a.png')]).to.deep.equal([
        'Bearer x',
        undefined,
      ])
    })

    it('are asked for again while their server is ill, and given up when it stays so', async () => {
      let isIll = true
      const ill = server.serve('/ill.png', (response) =>
        isIll ? response.writeHead(503).end() : response.end(pictures.png),
      )
      const [recovering, lost] = [
        await arrive([ill]),
        await arrive([
          server.url('/a.png'),
          server.serve('/dead.png', (response) => response.writeHead(500).end()),
        ]),
      ]
      await eventually(
        async () => server.asked.filter((path) => path === '/ill.png' || path === '/dead.png').length,
        (tries) => tries >= 2,
      )
      expect([...toldOf(recovering), ...toldOf(lost)]).to.deep.equal([])
      isIll = false
      const jobs = database.platformTable(OutboxJob)
      await jobs.update({ kind: 'message_media.fetch' }, { created_at: new Date(Date.now() - 1_900_000) })
      await eventually(
        async () => [...toldOf(recovering), ...toldOf(lost)],
        (told) => told.length === 2,
        { withinMs: 30_000 },
      )
      expect([...toldOf(recovering), ...toldOf(lost)]).to.deep.equal([`${recovering}: 1`, `${lost}: 1`])
    })
  })
})
