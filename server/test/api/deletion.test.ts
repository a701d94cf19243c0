/** What people delete by hand is gone with all that belongs to it, and the money adds up. */
import { expect } from 'chai'
import { tablesOfCalls } from '../../src/features/retention/call-removal.js'
import { eventually } from '../support/api-client.js'
import type { Appliance, TestWorkspace } from '../support/appliance.js'
import { FileServer } from '../support/file-server.js'
import * as pictures from '../support/pictures.js'
import { S3 } from '../support/s3.js'
import { query } from './database.js'
import { keyWith, newAdmin, personOf, startUnlimited, succeed } from './fixtures.js'
import { newMediaCarrier, newTextingNumber, sendText } from './message-fixtures.js'
import { insertRecording, keptFile } from './recording-fixtures.js'
import {
  age,
  count,
  deliveredTexts,
  endedCalls,
  fileIsThere,
  furnishCall,
  grownWorkspace,
  newOddRates,
} from './retention-fixtures.js'

const client = '+12025550111'

describe('deleting', function () {
  this.timeout(120_000)
  let appliance: Appliance
  let deck: string
  let workspace: Awaited<ReturnType<typeof grownWorkspace>>
  let other: Awaited<ReturnType<typeof grownWorkspace>>
  before(async () => {
    appliance = await startUnlimited({ JACKFIELD_MESSAGES_OPT_OUT: 'false' })
    deck = await newOddRates(appliance)
    workspace = await grownWorkspace(appliance, deck)
    other = await grownWorkspace(appliance, deck)
  })
  after(async () => appliance?.stop())

  const check = async ({ id }: TestWorkspace) =>
    succeed(appliance.operator.get(`/workspaces/${id}/credit/check`))
  const usage = async () => succeed(workspace.api.get('/usage')) as Promise<object>
  const audited = async (action: string) =>
    (await succeed(workspace.api.get(`/audit-log?action=${action}`))).data as {
      target: { id: string; name: string | null }
      changes: object
    }[]

  it('a call takes its legs, timeline, transcript, streams and recordings along', async () => {
    const [id = '', kept = ''] = await endedCalls(workspace, 2)
    const recording = await insertRecording(appliance, workspace, { call_id: id })
    await furnishCall(appliance, workspace, kept)
    await furnishCall(appliance, workspace, id)
    const [before, used] = [await check(workspace), await usage()]
    const shown = await succeed(workspace.api.delete(`/calls/${id}`))
    expect(shown).to.include({ call_id: id, status: 'completed' })
    expect((await workspace.api.get(`/calls/${id}`)).status).to.equal(404)
    expect((await workspace.api.delete(`/calls/${id}`)).status).to.equal(404)
    for (const table of [...tablesOfCalls, 'recordings'])
      expect(await count(appliance, table, 'call_id = ?', [id]), table).to.equal(0)
    await eventually(
      async () => fileIsThere(keptFile(appliance, recording)),
      (there) => !there,
      { what: 'the removal of a file' },
    )
    for (const table of ['call_events', 'call_dialogue', 'call_legs', 'recordings'])
      expect(await count(appliance, table, 'call_id = ?', [kept]), table).to.be.above(0)
    expect(await check(workspace)).to.deep.equal(before)
    expect(await usage()).to.deep.equal(used)
    const [entry] = await audited('call.delete')
    expect(entry?.target).to.include({ id, name: null })
    expect(entry?.changes).to.deep.include({
      call_dialogue: { from: 2, to: 0 },
      recordings: { from: 2, to: 0 },
    })
    expect(JSON.stringify(entry)).not.to.include('2025550100')
  })

  it('a call that lives is refused, and one that is being recorded', async () => {
    const body = { to: { number: '+12025550102' } }
    const id = (await succeed(workspace.api.post('/calls/make', body))).data.call_id as string
    const live = await workspace.api.delete(`/calls/${id}`)
    expect(live.status).to.equal(409)
    expect(live.body.message).to.equal('The call lives: it can be deleted once it has ended')
    await succeed(workspace.api.post(`/calls/${id}/hangup`))
    await eventually(
      async () => succeed(workspace.api.get(`/calls/${id}`)),
      ({ ended_at }) => ended_at !== null,
    )
    const recording = await insertRecording(appliance, workspace, { call_id: id, status: 'recording' })
    expect((await workspace.api.delete(`/calls/${id}`)).status).to.equal(409)
    await query(appliance, "UPDATE recordings SET status = 'ready' WHERE id = ?", [recording.id])
    await succeed(workspace.api.delete(`/calls/${id}`))
  })

  it('a message leaves the others of its conversation as they are', async () => {
    const from = workspace.texting.number
    const ids = await deliveredTexts(appliance, workspace, from, client, 5)
    const [before, used] = [await check(workspace), await usage()]
    const agent = (await personOf(workspace, 'supervisor')).api
    const list = await succeed(agent.get('/call-center/conversations'))
    const conversation = list.data[0].id as string
    const messages = async (more = '') =>
      (await succeed(agent.get(`/call-center/conversations/${conversation}/messages?limit=2${more}`))) as {
        data: { id: string; created_at: string }[]
        meta: { total: number }
      }
    expect(await succeed(workspace.api.delete(`/messages/${ids[1]}`))).to.include({ id: ids[1] })
    expect(await succeed(workspace.api.delete(`/messages/${ids[4]}`))).to.include({ id: ids[4] })
    expect((await workspace.api.get(`/messages/${ids[1]}`)).status).to.equal(404)
    const [first, second] = [await messages(), await messages('&page=2')]
    expect([...first.data, ...second.data].map(({ id }) => id)).to.deep.equal([ids[0], ids[2], ids[3]])
    expect(first.meta.total).to.equal(3)
    const last = await messages(`&before=${new Date(Date.now() + 60_000).toISOString()}`)
    expect(last.data.map(({ id }) => id)).to.deep.equal([ids[2], ids[3]])
    const earlier = await messages(`&before=${encodeURIComponent(last.data[0]?.created_at ?? '')}`)
    expect(earlier.data.map(({ id }) => id)).to.deep.equal([ids[0]])
    const later = await messages(`&after=${encodeURIComponent(earlier.data[0]?.created_at ?? '')}`)
    expect(later.data.map(({ id }) => id)).to.deep.equal([ids[2], ids[3]])
    const shown = await succeed(agent.get(`/call-center/conversations/${conversation}`))
    expect(shown.last_message.id).to.equal(ids[3])
    const [more] = await deliveredTexts(appliance, workspace, from, client, 1)
    expect((await messages('&page=2')).data.map(({ id }) => id)).to.deep.equal([ids[3], more])
    expect(await check(workspace)).to.deep.include({
      is_consistent: true,
      entries: Number(before.entries) + 1,
    })
    expect(await usage()).not.to.deep.equal(used)
    const waiting = await succeed(sendText(workspace.api, from, { to: client }))
    const refused = await workspace.api.delete(`/messages/${waiting.id}`)
    expect(refused.status).to.equal(409)
    expect(refused.body.message).to.contain('on its way')
    expect((await audited('message.delete')).length).to.equal(2)
  })

  it('a conversation takes its messages, files and notes along, also from a bucket', async () => {
    const s3 = await S3.start()
    const files = await FileServer.start()
    const bucket = await startUnlimited({
      ...s3.settings,
      JACKFIELD_HTTP_CLIENT_ALLOWED_NETWORKS: '127.0.0.0/8',
      JACKFIELD_MESSAGES_OPT_OUT: 'false',
    })
    try {
      const own = await bucket.workspace()
      const { number } = await newTextingNumber(bucket, own, { carrier: await newMediaCarrier(bucket) })
      const media_urls = [files.serve('/1', pictures.png), files.serve('/2', pictures.gif)]
      const sent = await succeed(sendText(own.api, number, { to: client, media_urls }))
      await eventually(
        async () => s3.keys(),
        ({ length }) => length === 2,
      )
      await query(bucket, 'DELETE FROM message_queue')
      await query(bucket, "UPDATE messages SET status = 'delivered', cost = price")
      const agent = (await personOf(own, 'supervisor')).api
      const [{ id }] = (await succeed(agent.get('/call-center/conversations'))).data
      await succeed(agent.post(`/call-center/conversations/${id}/notes`, { body: 'Zoe is ill' }))
      expect(await succeed(own.api.delete(`/conversations/${id}`))).to.include({ id, client_number: client })
      for (const table of ['messages', 'message_attachments', 'conversations', 'conversation_notes'])
        expect(await count(bucket, table, 'workspace_id = ?', [own.id]), table).to.equal(0)
      await eventually(
        async () => s3.keys(),
        ({ length }) => length === 0,
        { what: 'an empty bucket' },
      )
      expect((await own.api.get(`/messages/${sent.id}`)).status).to.equal(404)
      const checked = await succeed(bucket.operator.get(`/workspaces/${own.id}/credit/check`))
      expect(checked.problems).to.deep.equal([])
    } finally {
      await bucket.stop()
      await files.stop()
      await s3.stop()
    }
  })

  it('is for who may write: editors, owners and admins, each in their own workspace', async () => {
    const [id = '', second = '', third = ''] = await endedCalls(workspace, 3)
    await age(appliance, 'calls', [id], 1)
    const viewer = await keyWith(workspace, { scope: 'full', role: 'viewer' })
    const reader = await keyWith(workspace, { scope: 'any', role: 'owner' })
    const member = (await personOf(workspace, 'supervisor')).api
    for (const api of [viewer, reader]) expect((await api.delete(`/calls/${id}`)).status).to.equal(403)
    expect((await member.delete(`/calls/${id}`)).status).to.be.oneOf([401, 403])
    expect((await other.api.delete(`/calls/${id}`)).status).to.equal(404)
    await succeed((await keyWith(workspace, { scope: 'full', role: 'editor' })).delete(`/calls/${id}`))
    await succeed((await newAdmin(workspace)).api.delete(`/calls/${second}`))
    await succeed(appliance.operator.with({ host: `${workspace.id}.localhost` }).delete(`/calls/${third}`))
  })
})
