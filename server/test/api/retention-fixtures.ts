/** Workspaces that have calls, messages and all that goes with them, some of it from long ago. */
import { access } from 'node:fs/promises'
import { newId } from '../../src/infrastructure/database/ids.js'
import { eventually } from '../support/api-client.js'
import type { Appliance, TestWorkspace } from '../support/appliance.js'
import { multipart } from '../support/audio-files.js'
import { query } from './database.js'
import { succeed } from './fixtures.js'
import { type TextingNumber, newTextingNumber, sendText } from './message-fixtures.js'
import { insertRecording } from './recording-fixtures.js'

const rates = `kind,prefix,price,connection_fee,minimum_seconds,increment_seconds
outbound_call,12025550100,0.013337,0.000001,1,7
outbound_call,12025550106,1.1,0.1,60,6
message,1202,0.007771,,,
`

/** A rate deck with prices that are no round numbers. */
export async function newOddRates(appliance: Appliance): Promise<string> {
  const deck = await succeed(appliance.operator.post('/rate-decks', { title: 'Odd prices' }))
  const raw = multipart({}, { name: 'rates.csv', content: Buffer.from(rates), type: 'text/csv' })
  await succeed(appliance.operator.request('PUT', `/rate-decks/${deck.id}/rates`, { raw }))
  return deck.id as string
}

/** Makes calls to a number that answers and leaves, and waits for their end. */
export async function endedCalls(
  workspace: TestWorkspace,
  count: number,
  to = '+12025550100',
): Promise<string[]> {
  const ids: string[] = []
  for (let made = 0; made < count; made++) {
    const body = { to: { number: to }, actions: [{ action: 'hangup' }] }
    ids.push((await succeed(workspace.api.post('/calls/make', body))).data.call_id as string)
  }
  const live = async () => (await succeed(workspace.api.get('/calls?status=live'))).meta.total as number
  await eventually(live, (left) => left === 0, { withinMs: 60_000, what: 'the end of all calls' })
  return ids
}

/** Sends texts, and has them delivered as far as the tables say. */
export async function deliveredTexts(
  appliance: Appliance,
  workspace: TestWorkspace,
  from: string,
  to: string,
  count: number,
): Promise<string[]> {
  const ids: string[] = []
  for (let sent = 0; sent < count; sent++)
    ids.push(
      (await succeed(sendText(workspace.api, from, { to, body: `Text ${sent} to ${to}` }))).id as string,
    )
  await query(appliance, 'DELETE FROM message_queue WHERE message_id IN (?)', [ids])
  await query(
    appliance,
    "UPDATE messages SET status = 'delivered', cost = price, sent_at = created_at WHERE id IN (?)",
    [ids],
  )
  return ids
}

/** A workspace with credit, prices and a number that sends texts. */
export async function grownWorkspace(
  appliance: Appliance,
  deck: string,
): Promise<TestWorkspace & { texting: TextingNumber }> {
  const workspace = await appliance.workspace({ credit: 50 })
  await succeed(appliance.operator.patch(`/workspaces/${workspace.id}`, { rate_deck_id: deck }))
  return { ...workspace, texting: await newTextingNumber(appliance, workspace) }
}

/** Gives an ended call all that a call can have: dialogue, a stream, a voice agent's session and a recording. */
export async function furnishCall(
  appliance: Appliance,
  workspace: TestWorkspace,
  callId: string,
): Promise<string> {
  const session = newId('vse')
  await query(
    appliance,
    `INSERT INTO voice_agent_sessions
       (id, workspace_id, call_id, leg_id, voice_agent_id, version, provider, model_id, settings, started_at, ended_at)
     SELECT ?, workspace_id, id, 'leg_x', 'va_x', 1, 'p', 'm', '{}', created_at, created_at FROM calls WHERE id = ?`,
    [session, callId],
  )
  for (const position of [1, 2])
    await query(
      appliance,
      `INSERT INTO call_dialogue (id, workspace_id, call_id, session_id, position, speaker, text, created_at)
       SELECT ?, workspace_id, id, ?, ?, 'caller', 'My name is Zoe', created_at FROM calls WHERE id = ?`,
      [newId('dia'), session, position, callId],
    )
  await query(
    appliance,
    `INSERT INTO call_streams (id, workspace_id, call_id, settings, is_awaited, created_at)
     SELECT ?, workspace_id, id, 'x', 0, created_at FROM calls WHERE id = ?`,
    [newId('str'), callId],
  )
  return (await insertRecording(appliance, workspace, { call_id: callId })).id
}

/** Makes rows as old as if they were from so many days ago; calls, messages and their entries of the ledger too. */
export async function age(
  appliance: Appliance,
  table: string,
  ids: readonly string[],
  days: number,
): Promise<void> {
  if (ids.length === 0) return
  const past = `created_at - INTERVAL ${days} DAY`
  await query(appliance, `UPDATE ${table} SET created_at = ${past} WHERE id IN (?)`, [ids])
  await query(appliance, `UPDATE credit_entries SET created_at = ${past} WHERE reference IN (?)`, [ids])
}

/** Sweeps run when a server starts, and every hour. */
export async function sweepNow(appliance: Appliance): Promise<void> {
  await appliance.stopServer()
  await appliance.startServer()
}

export async function count(
  appliance: Appliance,
  table: string,
  where: string,
  values: unknown[],
): Promise<number> {
  const [row] = await query(appliance, `SELECT COUNT(*) AS n FROM ${table} WHERE ${where}`, values)
  return Number(row.n)
}

export async function fileIsThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  )
}
