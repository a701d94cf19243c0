/** A row and its file: neither is there without the other, whatever breaks. */
import { mkdir, mkdtemp, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { once } from 'node:events'
import { type AddressInfo, type Server, type Socket, connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { Database } from '../../src/infrastructure/database/database.js'
import { entities } from '../../src/app/entities.js'
import { AudioService } from '../../src/features/audio/audio.service.js'
import { Speech } from '../../src/features/audio/speech.js'
import { InUse } from '../../src/infrastructure/resources/in-use.js'
import { eventually } from '../support/api-client.js'
import { Appliance } from '../support/appliance.js'
import { nothingKept } from '../support/nothing-kept.js'
import { samplesOf, wavFile } from '../support/audio-files.js'

/** Stands before the database, and breaks the link when an audio’s row is committed and before that is answered. */
async function deafAfterCommit(port: number): Promise<{ server: Server; port: number }> {
  const server = createServer((near: Socket) => {
    const far = connect(port, '127.0.0.1')
    let inserted = false
    let committed = false
    near.on('data', (chunk) => {
      inserted ||= chunk.includes('INSERT INTO `audios`')
      committed ||= inserted && chunk.includes('COMMIT')
      far.write(chunk)
    })
    far.on('data', (chunk) => {
      if (committed) near.destroy()
      else near.write(chunk)
    })
    near.on('close', () => far.destroy()).on('error', () => far.destroy())
    far.on('close', () => near.destroy()).on('error', () => near.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { server, port: (server.address() as AddressInfo).port }
}

describe('audio files and their rows', function () {
  this.timeout(60_000)
  const hour = 3_600_000
  let appliance: Appliance
  let workspace: { id: string }
  let directory: string
  let database: Database
  let audios: AudioService

  const connectTo = async (port: number): Promise<Database> => {
    const { host, user, password } = appliance.mariadb
    const made = new Database(
      { host, port, socket: '', user, password, name: appliance.databaseName, pool: 2 },
      entities,
    )
    await made.connect()
    return made
  }
  const serviceOn = async (on: Database): Promise<AudioService> => {
    const config = { directory, tts_voice: 'en', tts_cache_mb: 10 }
    const bytes = { check: async () => Promise.resolve(), take: async () => Promise.resolve() }
    const service = new AudioService(
      ...([on, config, new Speech(config), new InUse(), 100, bytes, nothingKept] as const),
    )
    await service.start()
    return service
  }
  const sent = async () => {
    const path = join(directory, 'sent')
    const content = wavFile(440, 1)
    await writeFile(path, content)
    return { path, name: 'sent.wav', type: 'audio/wav', size: content.length }
  }
  const files = async () => (await readdir(join(directory, 'audios'))).sort()
  const failed = async (work: Promise<unknown>) =>
    work.then(
      () => false,
      () => true,
    )

  before(async () => {
    appliance = await Appliance.start()
    workspace = await appliance.workspace()
    database = await connectTo(appliance.mariadb.port)
  })
  after(async () => {
    await database?.close()
    await appliance?.stop()
  })
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'jackfield-files-'))
    audios = await serviceOn(database)
  })
  afterEach(async () => rm(directory, { recursive: true, force: true }))

  it('leaves no file when the database refuses the row', async () => {
    expect(await failed(audios.upload({ id: 'no-such-workspace' }, await sent(), {}))).to.equal(true)
    expect(await files()).to.deep.equal([])
  })

  it('keeps the file when the link breaks before the database has answered', async () => {
    const deaf = await deafAfterCommit(appliance.mariadb.port)
    const through = await connectTo(deaf.port)
    try {
      const service = await serviceOn(through)
      expect(await failed(service.upload(workspace, await sent(), { title: 'Unanswered' }))).to.equal(true)
    } finally {
      await through.close().catch(() => undefined)
      deaf.server.close()
    }
    const request = {
      ...{ page: 1, limit: 10, sort_field: 'created_at', sort_order: 'desc' as const },
      search: 'Unanswered',
    }
    const { rows } = await eventually(
      async () => audios.list(workspace, request),
      (page) => page.total === 1,
    )
    expect(await files()).to.deep.equal([`${rows[0]!.id}.wav`])
  })

  it('removes at its start what has no row, unless it is young', async () => {
    const { id } = await audios.upload(workspace, await sent(), {})
    const at = (name: string) => join(directory, 'audios', name)
    const old = new Date(Date.now() - 2 * hour)
    for (const name of ['au_old.wav', 'au_old.wav.1.tmp', 'au_young.wav']) await writeFile(at(name), 'x')
    for (const name of ['au_old.wav', 'au_old.wav.1.tmp', `${id}.wav`]) await utimes(at(name), old, old)
    await audios.start()
    expect(await files()).to.deep.equal([`${id}.wav`, 'au_young.wav'].sort())
  })

  it('names an upload by its file, without what cannot be printed', async () => {
    const file = await sent()
    const named = await audios.upload(workspace, { ...file, name: ' Wel\u0007come 1.2.wav' }, {})
    expect(named.title).to.equal('Welcome 1.2')
    const long = await audios.upload(workspace, { ...file, name: `${'🔔'.repeat(70)}.wav` }, {})
    expect(long.title).to.equal('🔔'.repeat(64))
    expect((await audios.get(workspace, long.id)).title).to.equal(long.title)
  })

  it('refuses a text that takes more than ten minutes to say, and keeps nothing of it', async () => {
    const endless = audios.speak(workspace, { title: 'Digits', text: '9 '.repeat(1_500), speed: 0.5 })
    const refused = await endless.catch((error: unknown) => error)
    expect((refused as Error).message).to.equal('text must not take longer than 600 seconds to say')
    expect(await files()).to.deep.equal([])
  })

  it('gives the content with its length, and 404 when the file is gone', async () => {
    const { id, size } = await audios.upload(workspace, await sent(), {})
    const content = await audios.content(workspace, id)
    const chunks: Buffer[] = []
    for await (const chunk of content.stream) chunks.push(chunk as Buffer)
    expect(content.size).to.equal(size)
    expect(samplesOf(Buffer.concat(chunks)).length).to.equal(8_000)
    await rm((await audios.fileOf(workspace, id))!)
    const gone = await audios.content(workspace, id).catch((error: unknown) => error)
    expect((gone as { status: number }).status).to.equal(404)
  })

  it('removes from the cache of speech what older versions and broken renderings left', async () => {
    const config = { directory, tts_voice: 'en', tts_cache_mb: 10 }
    const speech = new Speech(config)
    const whom = { workspaceId: workspace.id, lane: 'live' } as const
    await mkdir(join(directory, 'tts'), { recursive: true })
    const stale = join(directory, 'tts', 'stale.wav')
    await writeFile(stale, 'x')
    const old = new Date(Date.now() - 2 * hour)
    await utimes(stale, old, old)
    const fresh = await speech.render({ text: 'second' }, whom)
    expect(await readdir(join(directory, 'tts'))).to.deep.equal([workspace.id])
    expect((await stat(fresh)).size).to.be.above(44)
    await speech.forget(workspace.id)
    expect(await readdir(join(directory, 'tts'))).to.deep.equal([])
  })
})
