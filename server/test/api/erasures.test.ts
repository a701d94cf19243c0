/** Everything of one person is deleted, whatever breaks meanwhile, and nothing of anybody else. */
import { expect } from 'chai'
import { newId } from '../../src/infrastructure/database/ids.js'
import { eventually } from '../support/api-client.js'
import type { Appliance, TestWorkspace } from '../support/appliance.js'
import { query, tablesHolding } from './database.js'
import { fieldsOf, keyWith, newActiveNumber, startUnlimited, succeed } from './fixtures.js'
import { sendText } from './message-fixtures.js'
import { insertRecording, keptFile } from './recording-fixtures.js'
import {
  count,
  deliveredTexts,
  endedCalls,
  fileIsThere,
  furnishCall,
  grownWorkspace,
  newOddRates,
} from './retention-fixtures.js'

/** Answers and leaves by itself in the sandbox. */
const person = '+12025550100'
const digits = person.slice(1)

interface Erasure {
  id: string
  status: string
  label: string
  deleted: Record<string, number>
  waiting_for: Record<string, number>
  ended_at: string | null
}

describe('an erasure', function () {
  this.timeout(120_000)
  let appliance: Appliance
  let workspace: Awaited<ReturnType<typeof grownWorkspace>>
  let other: Awaited<ReturnType<typeof grownWorkspace>>
  before(async () => {
    appliance = await startUnlimited({ JACKFIELD_MESSAGES_OPT_OUT: 'false' })
    const deck = await newOddRates(appliance)
    workspace = await grownWorkspace(appliance, deck)
    other = await grownWorkspace(appliance, deck)
  })
  after(async () => appliance?.stop())

  const completed = async ({ api }: TestWorkspace, id: string, withinMs = 30_000) =>
    eventually(
      async () => (await succeed(api.get(`/erasures/${id}`))) as Erasure,
      ({ status }) => status === 'completed',
      { withinMs, what: 'the end of an erasure' },
    )
  const check = async ({ id }: TestWorkspace) =>
    succeed(appliance.operator.get(`/workspaces/${id}/credit/check`))

  it('deletes calls, recordings, messages, contacts and deliveries of a number, and frees the rest of it', async () => {
    const from = workspace.texting.number
    const [call = '', second = ''] = await endedCalls(workspace, 2)
    const [bystander = ''] = await endedCalls(workspace, 1, '+12025550106')
    await furnishCall(appliance, workspace, call)
    await furnishCall(appliance, workspace, bystander)
    const recording = await insertRecording(appliance, workspace, { call_id: second, from_number: person })
    const texts = await deliveredTexts(appliance, workspace, from, person, 3)
    const otherTexts = await deliveredTexts(appliance, workspace, from, '+12025550111', 1)
    const sent = await sendText(workspace.api, from, { to: person, body: 'A secret of Zoe' }, 'once')
    await query(appliance, 'DELETE FROM message_queue WHERE message_id = ?', [sent.body.id])
    await query(appliance, "UPDATE messages SET status = 'delivered', cost = price WHERE id = ?", [
      sent.body.id,
    ])
    const contact = await succeed(workspace.api.post('/contacts', { name: 'Zoe Only', numbers: [person] }))
    const shared = { name: 'Office', numbers: [person, '+12025550177'] }
    const office = await succeed(workspace.api.post('/contacts', shared))
    await succeed(
      workspace.api.post('/opt-outs', { phone_number_id: workspace.texting.id, client_number: person }),
    )
    const delivery = async (body: object) => {
      const id = newId('whd')
      await query(
        appliance,
        `INSERT INTO webhook_deliveries (id, workspace_id, webhook_id, event_id, event, body, status, created_at)
         VALUES (?, ?, 'wh_x', 'evt_x', 'call.ended', ?, 'delivered', UTC_TIMESTAMP(3) - INTERVAL 1 MINUTE)`,
        [id, workspace.id, JSON.stringify(body)],
      )
      return id
    }
    const deliveries = [await delivery({ from: person }), await delivery({ call_id: call })]
    const keptDelivery = await delivery({ call_id: bystander })
    const theirs = await endedCalls(other, 1)
    await succeed(other.api.post('/contacts', { name: 'Zoe Elsewhere', numbers: [person] }))
    const [money, theirMoney] = [await check(workspace), await check(other)]
    const used = await succeed(workspace.api.get('/usage'))

    const made: Erasure = await succeed(workspace.api.post('/erasures', { number: '+1 (202) 555-0100' }))
    expect(made).to.include({ status: 'pending', label: '+12•••••••00', ended_at: null })
    const done = await completed(workspace, made.id)
    expect(done.waiting_for).to.deep.equal({})
    expect(done.deleted).to.include({
      calls: 2,
      messages: 4,
      conversations: 1,
      contacts: 1,
      contact_numbers: 1,
    })
    expect(done.deleted['call_dialogue']).to.equal(2)
    expect(done.deleted['recordings']).to.be.at.least(2)
    expect(done.deleted['webhook_deliveries']).to.be.at.least(2)

    for (const id of [call, second]) expect((await workspace.api.get(`/calls/${id}`)).status).to.equal(404)
    expect((await workspace.api.get(`/calls/${bystander}`)).status).to.equal(200)
    for (const id of texts) expect((await workspace.api.get(`/messages/${id}`)).status).to.equal(404)
    expect((await workspace.api.get(`/messages/${otherTexts[0]}`)).status).to.equal(200)
    expect((await workspace.api.get(`/contacts/${contact.id}`)).status).to.equal(404)
    const left = await succeed(workspace.api.get(`/contacts/${office.id}`))
    expect(left).to.deep.include({ name: 'Office', numbers: ['+12025550177'] })
    expect(await count(appliance, 'webhook_deliveries', 'id IN (?)', [deliveries])).to.equal(0)
    expect(await count(appliance, 'webhook_deliveries', 'id = ?', [keptDelivery])).to.equal(1)
    await eventually(
      async () => fileIsThere(keptFile(appliance, recording)),
      (there) => !there,
    )
    // Of this workspace the number stands nowhere any more but among those who want no texts.
    const holding = await tablesOfWorkspaceHolding(digits)
    // A prefix of the rate deck of this test is as long as a number.
    expect(holding).to.have.members(['opt_outs.client_number', 'rated_usage_days.prefix'])
    expect(await tablesHolding(appliance, 'Zoe Only')).to.deep.equal([])
    expect(await tablesHolding(appliance, 'A secret of Zoe')).to.deep.equal([])
    const again = await sendText(workspace.api, from, { to: person, body: 'A secret of Zoe' }, 'once')
    expect(again.status, 'the same request is not done again').to.equal(201)
    expect(again.body).to.include({ id: sent.body.id, body: '' })

    expect((await other.api.get(`/calls/${theirs[0]}`)).status).to.equal(200)
    expect((await succeed(other.api.get('/contacts'))).data[0].name).to.equal('Zoe Elsewhere')
    expect(await check(other)).to.deep.equal(theirMoney)
    expect(await check(workspace)).to.deep.equal(money)
    expect(await succeed(workspace.api.get('/usage'))).to.deep.equal(used)
    const log = (await succeed(workspace.api.get(`/audit-log?target_id=${made.id}`))).data
    expect(log.map(({ action }: { action: string }) => action)).to.deep.equal([
      'erasure.complete',
      'erasure.create',
    ])
    expect(log[0].changes).to.deep.include({ calls: { from: 2, to: 0 } })
    expect(JSON.stringify(log)).not.to.include(digits)
    const list = await succeed(workspace.api.get('/erasures'))
    expect(list.data[0]).to.deep.include({ id: made.id, status: 'completed' })
  })

  async function tablesOfWorkspaceHolding(text: string): Promise<string[]> {
    const columns = await query(
      appliance,
      `SELECT c.table_name AS t, c.column_name AS c FROM information_schema.columns c
       JOIN information_schema.columns w ON w.table_schema = c.table_schema AND w.table_name = c.table_name
         AND w.column_name = 'workspace_id'
       JOIN information_schema.tables b ON b.table_schema = c.table_schema AND b.table_name = c.table_name
         AND b.table_type = 'BASE TABLE'
       WHERE c.table_schema = ?`,
      [appliance.databaseName],
    )
    const found: string[] = []
    for (const { t, c } of columns as { t: string; c: string }[]) {
      const where = `workspace_id = ? AND INSTR(CONVERT(\`${c}\` USING utf8mb4), ?)`
      if ((await count(appliance, t, where, [workspace.id, text])) > 0) found.push(`${t}.${c}`)
    }
    return found
  }

  it('of a contact is of all of its numbers', async () => {
    const numbers = ['+12025550106', '+12025550111']
    const contact = await succeed(workspace.api.post('/contacts', { name: 'Max', numbers }))
    const { id, label }: Erasure = await succeed(workspace.api.post('/erasures', { contact_id: contact.id }))
    expect(label).to.equal('+12•••••••06, +12•••••••11')
    const { deleted } = await completed(workspace, id)
    expect(deleted).to.include({ contacts: 1, calls: 1, messages: 1 })
    expect((await workspace.api.get(`/contacts/${contact.id}`)).status).to.equal(404)
  })

  it('hides a number in what others said and wrote, however it is written there', async () => {
    const gone = '+12025550144'
    const from = workspace.texting.number
    const said = 'Call Zoe at (202) 555-0144 or +1 202-555-0144, order 2025550199'
    const masked = 'Call Zoe at +12•••••••44 or +12•••••••44, order 2025550199'
    const [call = ''] = await endedCalls(workspace, 1, '+12025550106')
    await furnishCall(appliance, workspace, call)
    await query(appliance, 'UPDATE call_dialogue SET text = ? WHERE call_id = ?', [said, call])
    const details = JSON.stringify({ action: 'ivr', digits: '2025550144' })
    await query(appliance, 'UPDATE call_events SET details = ? WHERE call_id = ? LIMIT 1', [details, call])
    const script = JSON.stringify([{ action: 'tts', params: { text: 'Call 12025550144' } }])
    await query(appliance, 'UPDATE calls SET script = ? WHERE id = ?', [script, call])
    const [text = ''] = await deliveredTexts(appliance, workspace, from, '+12025550112', 1)
    await query(appliance, 'UPDATE messages SET body = ?, search_text = ? WHERE id = ?', [
      ...[said, Buffer.from(said.toLowerCase()), text],
    ])
    await query(
      appliance,
      `INSERT INTO conversation_notes (id, workspace_id, conversation_id, agent_id, body, created_at, updated_at)
       SELECT ?, workspace_id, conversation_id, 'agt_x', ?, created_at, created_at FROM messages WHERE id = ?`,
      [newId('note'), said, text],
    )
    const { id }: Erasure = await succeed(workspace.api.post('/erasures', { number: gone }))
    const { deleted } = await completed(workspace, id)
    expect(deleted).to.include({
      ...{ messages_masked: 1, conversation_notes_masked: 1, call_dialogue_masked: 2 },
      ...{ call_events_masked: 1, calls_masked: 1 },
    })
    expect((await succeed(workspace.api.get(`/messages/${text}`))).body).to.equal(masked)
    const sought = await succeed(workspace.api.get('/messages?search=555-0144'))
    expect(sought.data).to.deep.equal([])
    const transcript = await query(appliance, 'SELECT text FROM call_dialogue WHERE call_id = ?', [call])
    expect(transcript.map((row) => row.text)).to.deep.equal([masked, masked])
    expect(await tablesHolding(appliance, '2025550144')).to.deep.equal([])
    expect(await tablesHolding(appliance, '555-0144')).to.deep.equal([])
    expect((await workspace.api.get(`/calls/${call}`)).status).to.equal(200)
  })

  it('of client:<sub> is of a user of a customer’s app, and of no other', async () => {
    const { id: workspace_id, sid } = workspace
    const calls = await endedCalls(workspace, 4, '+12025550106')
    const [made = '', received = '', connected = '', bystander = ''] = calls
    await query(
      appliance,
      "UPDATE calls SET client_sub = 'anna', from_number = 'anna', from_name = 'anna' WHERE id = ?",
      [made],
    )
    await query(appliance, "UPDATE calls SET to_number = 'client:anna' WHERE id = ?", [received])
    await query(appliance, "UPDATE call_legs SET number = 'client:anna' WHERE call_id = ? LIMIT 1", [
      connected,
    ])
    await query(
      appliance,
      "UPDATE calls SET client_sub = 'anna.b', to_number = 'client:anna.b' WHERE id = ?",
      [bystander],
    )
    const recording = await insertRecording(appliance, workspace, { to_number: 'client:anna' })
    for (const sub of ['anna', 'anna.b'])
      await query(
        appliance,
        `INSERT INTO device_registrations (id, workspace_id, client_sub, device_id, platform, api_key_sid, voip_token,
           created_at, updated_at)
         VALUES (?, ?, ?, 'phone', 'ios', ?, ?, UTC_TIMESTAMP(3), UTC_TIMESTAMP(3))`,
        [newId('dev'), workspace_id, sub, sid, `token-of-${sub}`],
      )
    await query(
      appliance,
      `INSERT INTO audit_log (id, workspace_id, actor_kind, actor_id, action, target_type, target_id, changes, created_at)
       VALUES (?, ?, 'client', 'anna', 'call.hangup', 'call', 'call_x', '{}', UTC_TIMESTAMP(3) - INTERVAL 1 MINUTE)`,
      ['aud_of_anna', workspace_id],
    )
    const asked: Erasure = await succeed(workspace.api.post('/erasures', { number: 'client:anna' }))
    expect(asked).to.include({ status: 'pending', label: 'client:a•••' })
    const { deleted } = await completed(workspace, asked.id)
    expect(deleted).to.include({ calls: 3, device_registrations: 1, audit_log: 1 })
    for (const id of [made, received, connected])
      expect((await workspace.api.get(`/calls/${id}`)).status).to.equal(404)
    expect((await workspace.api.get(`/calls/${bystander}`)).status).to.equal(200)
    expect((await workspace.api.get(`/recordings/${recording.id}`)).status).to.equal(404)
    const left = await query(
      appliance,
      'SELECT client_sub FROM device_registrations WHERE workspace_id = ?',
      [workspace_id],
    )
    expect(left.map(({ client_sub }) => client_sub)).to.deep.equal(['anna.b'])
    expect(await count(appliance, 'audit_log', "actor_id = 'anna'", [])).to.equal(0)
    expect(await tablesHolding(appliance, 'token-of-anna')).to.deep.equal(['device_registrations.voip_token'])
    expect(fieldsOf(await workspace.api.post('/erasures', { number: 'client:not a sub' }))).to.deep.equal([
      'number',
    ])
  })

  it('waits for what is under way, and deletes it when that is over', async () => {
    const body = { to: { number: '+12025550102' } }
    const call = (await succeed(workspace.api.post('/calls/make', body))).data.call_id as string
    const text = await succeed(sendText(workspace.api, workspace.texting.number, { to: '+12025550102' }))
    const { id }: Erasure = await succeed(workspace.api.post('/erasures', { number: '+12025550102' }))
    const waiting = await eventually(
      async () => (await succeed(workspace.api.get(`/erasures/${id}`))) as Erasure,
      ({ status }) => status === 'waiting',
      { what: 'an erasure that waits' },
    )
    expect(waiting.waiting_for).to.deep.equal({ calls: 1, messages: 1 })
    expect((await workspace.api.get(`/calls/${call}`)).status).to.equal(200)
    await succeed(workspace.api.post(`/calls/${call}/hangup`))
    await query(appliance, 'DELETE FROM message_queue WHERE message_id = ?', [text.id])
    await query(appliance, "UPDATE messages SET status = 'delivered', cost = price WHERE id = ?", [text.id])
    await completed(workspace, id)
    expect((await workspace.api.get(`/calls/${call}`)).status).to.equal(404)
    expect((await check(workspace)).problems).to.deep.equal([])
  })

  it('is finished by the next server when one is killed in the midst of it', async () => {
    const caller = '+12025550188'
    const rows = 1_500
    await query(
      appliance,
      `INSERT INTO calls (id, workspace_id, direction, status, from_number, from_name, to_number, to_name,
         max_duration, script, live, created_at, ended_at)
       SELECT CONCAT('call_00000000000000000000', LPAD(seq, 6, '0')), ?, 'inbound', 'completed', ?, '', '+1', '', 60, '[]',
         NULL, UTC_TIMESTAMP(3) - INTERVAL seq SECOND, UTC_TIMESTAMP(3) FROM seq_1_to_${rows}`,
      [workspace.id, caller],
    )
    await query(
      appliance,
      `INSERT INTO call_events (id, call_id, workspace_id, event, direction, to_party, created_at)
       SELECT CONCAT('evt_', SUBSTRING(id, 6)), id, workspace_id, 'call.created', 'inbound', '{"number":"12025550188"}',
         created_at FROM calls WHERE workspace_id = ? AND from_number = ?`,
      [workspace.id, caller],
    )
    const left = async () =>
      count(appliance, 'calls', 'workspace_id = ? AND from_number = ?', [workspace.id, caller])
    const used = await succeed(workspace.api.get('/usage'))
    const { id }: Erasure = await succeed(workspace.api.post('/erasures', { number: caller }))
    await eventually(left, (some) => some < rows, { everyMs: 5, what: 'the first deleted calls' })
    await appliance.killServer()
    const there = await left()
    expect(there, 'it was killed in the midst of it').to.be.within(1, rows - 1)
    await appliance.startServer()
    const { deleted } = await completed(workspace, id, 60_000)
    expect(await left()).to.equal(0)
    expect(
      await count(appliance, 'call_events', "workspace_id = ? AND to_party LIKE '%12025550188%'", [
        workspace.id,
      ]),
    ).to.equal(0)
    expect(deleted).to.include({ calls: rows, call_events: rows })
    expect(await succeed(workspace.api.get('/usage'))).to.deep.equal(used)
  })

  it('is refused for what is no number, both at once, and the workspace’s own numbers', async () => {
    const { api } = workspace
    expect(fieldsOf(await api.post('/erasures', { number: '+120255501' }))).to.deep.equal(['number'])
    expect((await api.post('/erasures', {})).status).to.equal(400)
    expect((await api.post('/erasures', { number: person, contact_id: newId('con') })).status).to.equal(400)
    expect((await api.post('/erasures', { contact_id: newId('con') })).status).to.equal(404)
    const { number } = await newActiveNumber(appliance, workspace)
    const own = await api.post('/erasures', { number: `+${number.replace('+', '')}` })
    expect(fieldsOf(own)).to.deep.equal(['number'])
    expect(own.body.message).to.contain('number of this workspace')
    const viewer = await keyWith(workspace, { scope: 'full', role: 'viewer' })
    expect((await viewer.post('/erasures', { number: person })).status).to.equal(403)
    expect(
      (await other.api.get(`/erasures/${(await succeed(api.get('/erasures'))).data[0].id}`)).status,
    ).to.equal(404)
  })
})
