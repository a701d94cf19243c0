/** Files that are uploaded to be sent: where they are, who gets them, and when they go. */
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { type ApiClient, eventually } from '../support/api-client.js'
import type { Appliance, TestWorkspace } from '../support/appliance.js'
import { multipart, wavFile } from '../support/audio-files.js'
import * as pictures from '../support/pictures.js'
import { newClient, startConversation } from './conversation-fixtures.js'
import { query } from './database.js'
import { type Person, fieldsOf, keyWith, newPerson, startUnlimited, succeed } from './fixtures.js'
import { newMediaCarrier, newTextingNumber, sendText } from './message-fixtures.js'

interface Uploaded {
  id: string
  url: string
}

describe('uploaded files', function () {
  this.timeout(60_000)
  let appliance: Appliance
  let workspace: TestWorkspace
  let agent: Person
  let from: string
  let conversation: string

  before(async () => {
    // No network may be reached: what is sent is found without one.
    appliance = await startUnlimited({ JACKFIELD_MESSAGES_MAX_MEDIA_MB: '1' })
    workspace = await appliance.workspace()
    const carrier = await newMediaCarrier(appliance)
    from = (await newTextingNumber(appliance, workspace, { carrier })).number
    agent = await newPerson(workspace)
    conversation = (await startConversation(agent, from)).conversation.id
  })
  after(async () => appliance?.stop())

  const send = async (content: Buffer, api: ApiClient = agent.api) =>
    api.request('POST', '/call-center/media', { raw: multipart({}, { name: 'a', content, type: 'x/y' }) })
  const upload = async (content: Buffer = pictures.png): Promise<Uploaded> => succeed(send(content))
  const reply = async (media_urls: string[]) =>
    agent.api.post(`/call-center/conversations/${conversation}/messages`, { body: '', media_urls })
  const show = async (url: string) =>
    workspace.api.with({ authorization: undefined }).get(new URL(url).pathname.replace('/api/v1', ''))
  const kept = async () => {
    const directory = join(appliance.mediaDirectory, 'messages')
    const files = await readdir(directory, { recursive: true, withFileTypes: true }).catch(() => [])
    return files.filter((one) => one.isFile()).length
  }

  it('have their address at once, and keep it when a message takes them', async () => {
    const file = await succeed(send(pictures.jpeg))
    expect(file).to.include({ content_type: 'image/jpeg', bytes: pictures.jpeg.length })
    expect(Date.parse(file.expires_at) - Date.parse(file.created_at)).to.equal(86_400_000)
    expect((await show(file.url)).body.equals(pictures.jpeg)).to.equal(true)
    const before = await kept()
    const message = await succeed(reply([file.url]))
    expect(message).to.deep.include({
      media_urls: [file.url],
      media: [{ url: file.url, content_type: 'image/jpeg', bytes: pictures.jpeg.length }],
    })
    expect(await kept()).to.equal(before)
    expect((await show(file.url)).body.equals(pictures.jpeg)).to.equal(true)
    expect((await agent.api.delete(`/call-center/media/${file.id}`)).status).to.equal(404)
  })

  it('stay their agent’s when the message is refused', async () => {
    const file = await upload()
    const refused = await reply([file.url, 'http://10.1.2.3/a.png'])
    expect(fieldsOf(refused)).to.deep.equal(['media_urls.1'])
    expect((await succeed(reply([file.url]))).media).to.have.length(1)
  })

  it('may be sent again, as copies', async () => {
    const file = await upload(wavFile(440, 0.1))
    const [first] = (await succeed(reply([file.url]))).media
    const [second, third] = (await succeed(reply([file.url, first.url]))).media
    const urls = [first.url, second.url, third.url]
    expect(new Set(urls).size).to.equal(3)
    for (const url of urls) expect((await show(url)).body.equals(wavFile(440, 0.1)), url).to.equal(true)
    const twice = await upload()
    expect(new Set((await succeed(reply([twice.url, twice.url]))).media.map((one: Uploaded) => one.url)).size) //
      .to.equal(2)
  })

  it('are taken by one of two messages that name them at once, and the other gets a copy', async () => {
    const file = await upload()
    const answers = await Promise.all([reply([file.url]), reply([file.url])])
    for (const answer of answers) expect(answer.status).to.be.oneOf([201, 503])
    expect(answers.map(({ status }) => status)).to.include(201)
    expect((await succeed(reply([file.url]))).media).to.have.length(1)
  })

  it('go with an API key’s message too, and begin conversations', async () => {
    const [one, other] = [await upload(), await upload()]
    expect((await succeed(sendText(workspace.api, from, { media_urls: [one.url] }))).media_urls) //
      .to.deep.equal([one.url])
    const { message } = await startConversation(agent, from, {
      ...{ client_number: newClient(), body: 'Look', media_urls: [other.url] },
    })
    expect(message).to.deep.include({ media_urls: [other.url] })
  })

  it('are uploaded with an API key, too, each for its own', async () => {
    const raw = multipart({}, { name: 'a', content: pictures.png, type: 'x/y' })
    const [mine, other] = [workspace.api, await keyWith(workspace, { scope: 'full', role: 'editor' })]
    const file = await succeed(mine.request('POST', '/messages/media', { raw }))
    expect((await other.delete(`/messages/media/${file.id}`)).status).to.equal(404)
    expect((await agent.api.delete(`/call-center/media/${file.id}`)).status).to.equal(404)
    expect((await succeed(sendText(mine, from, { media_urls: [file.url] }))).media).to.have.length(1)
    const before = await kept()
    const second = await succeed(other.request('POST', '/messages/media', { raw }))
    expect(await succeed(other.delete(`/messages/media/${second.id}`))).to.include(second)
    await eventually(kept, (files) => files === before)
    const viewer = await keyWith(workspace, { scope: 'full', role: 'viewer' })
    expect((await viewer.request('POST', '/messages/media', { raw })).status).to.equal(403)
  })

  it('count together with what a message may have, and are found by their whole address only', async () => {
    const large = wavFile(440, 20)
    const [one, other] = [await upload(large), await upload(large)]
    expect(fieldsOf(await reply([one.url, other.url]))).to.deep.equal(['media_urls.0', 'media_urls.1'])
    const wrong = one.url.slice(0, -1) + (one.url.endsWith('0') ? '1' : '0')
    for (const url of [wrong, `${one.url}/`, one.url.replace(one.id, 'att_0')]) {
      expect(fieldsOf(await reply([url])), url).to.deep.equal(['media_urls.0'])
    }
  })

  it('of another workspace are not found', async () => {
    const other = await appliance.workspace()
    const { url } = await succeed(send(pictures.png, (await newPerson(other)).api))
    const ours = url.replace(`//${other.id}.`, `//${workspace.id}.`)
    expect(fieldsOf(await reply([ours]))).to.deep.equal(['media_urls.0'])
  })

  it('must be files that go with messages', async () => {
    expect(fieldsOf(await send(Buffer.from('<svg/>')))).to.deep.equal(['file'])
    expect(fieldsOf(await send(pictures.webp))).to.deep.equal(['file'])
    expect(fieldsOf(await send(wavFile(440, 40)))).to.deep.equal(['file'])
    expect(fieldsOf(await agent.api.post('/call-center/media', {}))).to.deep.equal(['file'])
  })

  it('are deleted by whose they are', async () => {
    const before = await kept()
    const file = await upload()
    const another = await newPerson(workspace, 'supervisor')
    expect((await another.api.delete(`/call-center/media/${file.id}`)).status).to.equal(404)
    expect(await succeed(agent.api.delete(`/call-center/media/${file.id}`))).to.include(file)
    expect((await show(file.url)).status).to.equal(404)
    expect(fieldsOf(await reply([file.url]))).to.deep.equal(['media_urls.0'])
    await eventually(kept, (files) => files === before)
  })

  it('wait a hundred at most for each agent', async () => {
    const [person, before] = [await newPerson(workspace), await kept()]
    const { id } = await succeed(send(pictures.gif, person.api))
    await query(
      appliance,
      `INSERT INTO message_uploads (id, workspace_id, uploader_id, content_type, bytes, storage, storage_key, token, created_at)
       SELECT CONCAT('att_', LPAD(seq, 26, '0')), workspace_id, uploader_id, content_type, bytes, storage,
         CONCAT('none/', seq), token, created_at FROM message_uploads JOIN seq_1_to_99 WHERE id = ?`,
      [id],
    )
    expect((await send(pictures.gif, person.api)).status).to.equal(403)
    await succeed(person.api.delete(`/call-center/media/${id}`))
    await succeed(send(pictures.gif, person.api))
    await eventually(kept, (files) => files === before + 1)
  })

  it('go after a day without a message, and with their workspace', async () => {
    const gone = await appliance.workspace()
    const api = (await newPerson(gone)).api
    const [before, rows] = [await kept(), 'SELECT id FROM message_uploads WHERE workspace_id = ?']
    const { id } = await succeed(send(pictures.png, api))
    await succeed(send(pictures.gif, api))
    await query(appliance, 'UPDATE message_uploads SET created_at = NOW(3) - INTERVAL 25 HOUR WHERE id = ?', [
      id,
    ])
    await appliance.stopServer()
    await appliance.startServer()
    await eventually(kept, (files) => files === before + 1)
    expect(await query(appliance, rows, [gone.id])).to.have.length(1)
    await succeed(appliance.operator.delete(`/workspaces/${gone.id}`))
    await eventually(kept, (files) => files === before)
    expect(await query(appliance, rows, [gone.id])).to.deep.equal([])
  })
})
