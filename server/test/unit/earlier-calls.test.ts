/** Calls that ended before outcomes were kept get theirs from their legs and timelines: on a real MariaDB. */
import { expect } from 'chai'
import type { QueryRunner } from 'typeorm'
import {
  fillOutcomes,
  markOldVoicemails,
} from '../../src/infrastructure/database/migrations/fill-call-outcomes.js'
import { Database } from '../../src/infrastructure/database/database.js'
import { migrations } from '../../src/infrastructure/database/migrations/index.js'
import { sharedMariadb } from '../support/mariadb.js'

interface Leg {
  role?: 'caller' | 'called' | 'destination'
  agent?: string
  gateway?: string
  uri?: string
  /** Seconds of the call. */
  from: number
  answered?: number
  until: number
  cause?: string
}

interface Ended {
  status?: 'completed' | 'canceled' | 'failed'
  cause?: string
  isAnswered?: boolean
  legs?: Leg[]
  /** The second in which it began to wait for the team. */
  queuedAt?: number
  message?: 'ready' | 'failed'
}

const ended = 60
const unknownEnd = { ended_by: 'unknown', abandoned_in: null }
const without = { wait_seconds: 0, ring_seconds: 0, talk_seconds: 0, hold_seconds: 0 }

const calls: Record<string, [Ended, object]> = {
  'an agent answered': [
    { legs: [{ agent: 'ag_ann', from: 5, answered: 12, until: ended }] },
    { outcome: 'answered', ...unknownEnd, ...without, ring_seconds: 7, talk_seconds: 48 },
  ],
  'an agent answered after a wait': [
    { queuedAt: 5, legs: [{ agent: 'ag_ann', from: 20, answered: 25, until: ended }] },
    {
      ...{ outcome: 'answered', ...unknownEnd, team_id: 'te_sales' },
      ...{ wait_seconds: 20, ring_seconds: 5, talk_seconds: 35, hold_seconds: 0 },
    },
  ],
  'a voice agent answered': [
    { legs: [{ uri: 'stream:bot', from: 1, answered: 2, until: ended }] },
    { outcome: 'voice_agent', ...unknownEnd, ...without },
  ],
  'the caller left a message': [
    { message: 'ready', legs: [{ agent: 'ag_ann', from: 5, until: 25, cause: 'NO_ANSWER' }] },
    { outcome: 'voicemail', ...unknownEnd, ...without, ring_seconds: 20 },
  ],
  'the caller left no message': [
    { message: 'failed', legs: [{ agent: 'ag_ann', from: 5, until: 25, cause: 'NO_ANSWER' }] },
    { outcome: 'missed', ...unknownEnd, ...without, ring_seconds: 20 },
  ],
  'the caller left the queue': [
    { queuedAt: 10 },
    {
      ...{ outcome: 'abandoned', abandoned_in: 'queue', ended_by: 'caller', team_id: 'te_sales' },
      ...{ ...without, wait_seconds: 50 },
    },
  ],
  'the caller gave up while a phone rang': [
    {
      ...{ status: 'canceled', isAnswered: false, cause: 'ORIGINATOR_CANCEL' },
      legs: [{ agent: 'ag_ann', from: 20, until: ended, cause: 'ORIGINATOR_CANCEL' }],
    },
    { outcome: 'abandoned', abandoned_in: 'ringing', ended_by: 'caller', ...without, ring_seconds: 40 },
  ],
  'the agent did not answer': [
    { legs: [{ agent: 'ag_ann', from: 20, until: 40, cause: 'NO_ANSWER' }] },
    { outcome: 'missed', ...unknownEnd, ...without, ring_seconds: 20 },
  ],
  'the script served the caller': [{}, { outcome: 'self_service', ...unknownEnd, ...without }],
  'the call was rejected': [
    { status: 'failed', isAnswered: false, cause: 'UNALLOCATED_NUMBER' },
    { outcome: 'refused', ...unknownEnd, ...without },
  ],
  'the carrier could not connect it': [
    {
      ...{ status: 'failed', isAnswered: false, cause: 'NETWORK_OUT_OF_ORDER' },
      legs: [{ gateway: 'gw_1', from: 1, until: 3, cause: 'NETWORK_OUT_OF_ORDER' }],
    },
    { outcome: 'failed', ...unknownEnd, ...without, ring_seconds: 2 },
  ],
  'the phone could not be connected': [
    {
      ...{ status: 'failed', isAnswered: false, cause: 'NETWORK_OUT_OF_ORDER' },
      legs: [{ from: 1, until: 3, cause: 'NETWORK_OUT_OF_ORDER' }],
    },
    { outcome: 'failed', ...unknownEnd, ...without, ring_seconds: 2 },
  ],
  'the called party was busy': [
    {
      ...{ status: 'failed', isAnswered: false, cause: 'USER_BUSY' },
      legs: [{ gateway: 'gw_1', from: 1, until: 3, cause: 'USER_BUSY' }],
    },
    { outcome: 'refused', ...unknownEnd, ...without, ring_seconds: 2 },
  ],
}

describe('calls that ended before outcomes were kept', function () {
  this.timeout(60_000)
  let database: Database
  let runner: QueryRunner

  before(async () => {
    const mariadb = await sharedMariadb()
    const { host, port, user, password } = mariadb
    const name = await mariadb.createDatabase()
    database = new Database({ host, port, user, password, name, socket: '', pool: 2 }, [], migrations)
    await database.connect()
    await database.source.runMigrations()
    runner = database.source.createQueryRunner()
    await sql(
      `INSERT INTO workspaces (id, title, country_code, created_at, updated_at) VALUES ('acme', 'Acme', 'US', NOW(3), NOW(3))`,
    )
  })
  after(async () => {
    await runner?.release()
    await database?.close()
  })

  const sql = async (text: string, values: unknown[] = []) =>
    database.source.query<Record<string, unknown>[]>(text, values)

  /** @param begun when it began: the seconds of its parts count from there */
  async function insertCall(id: string, begun: Date, call: Ended): Promise<void> {
    const at = (second: number | undefined) =>
      second === undefined ? null : new Date(begun.getTime() + second * 1_000)
    const { status = 'completed', cause = 'NORMAL_CLEARING', isAnswered = true } = call
    await sql(
      `INSERT INTO calls (id, workspace_id, direction, status, cell, line, from_number, from_name, to_number, to_name,
         program, script, live, max_duration, created_at, answered_at, ended_at, hangup_cause)
       VALUES (?, 'acme', 'inbound', ?, 'main', 'caller', '1', '1', '2', '2', 'over', '[]', NULL, 3600, ?, ?, ?, ?)`,
      [id, status, begun, isAnswered ? begun : null, at(ended), cause],
    )
    const own: Leg = { role: 'caller', from: 0, until: ended, ...(isAnswered && { answered: 0 }) }
    for (const [index, leg] of [own, ...(call.legs ?? [])].entries()) {
      const { role = 'destination', agent = null, gateway = null, uri = 'sip:x@y' } = leg
      await sql(
        `INSERT INTO call_legs (id, call_id, workspace_id, channel_id, role, number, uri, agent_id, gateway_id,
           fee_per_minute, created_at, answered_at, ended_at, hangup_cause)
         VALUES (?, ?, 'acme', ?, ?, '1', ?, ?, ?, 0, ?, ?, ?, ?)`,
        [
          ...[
            id.replace('call_', `leg_${index}`),
            id,
            id.replace('call_', `c${index}`),
            role,
            uri,
            agent,
            gateway,
          ],
          ...[at(leg.from), at(leg.answered), at(leg.until), leg.cause ?? 'NORMAL_CLEARING'],
        ],
      )
    }
    if (call.queuedAt !== undefined)
      await sql(
        `INSERT INTO call_events (id, call_id, workspace_id, event, direction, details, created_at)
         VALUES (?, ?, 'acme', 'call.queued', 'inbound', '{"team_id": "te_sales"}', ?)`,
        [id.replace('call_', 'evt_'), id, at(call.queuedAt)],
      )
    if (call.message)
      await sql(
        `INSERT INTO recordings (id, workspace_id, call_id, kind, status, format, channels, channel_id, from_number,
           to_number, created_at, ended_at)
         VALUES (?, 'acme', ?, 'voicemail', ?, 'wav', 1, 'c', '1', '2', ?, ?)`,
        [id.replace('call_', 'rec_'), id, call.message, at(30), at(50)],
      )
  }

  it('have the outcome that they would have now', async () => {
    const begun = new Date(Date.UTC(2025, 4, 6, 10))
    const titles = new Map<string, string>()
    for (const [index, [title, [call]]] of Object.entries(calls).entries()) {
      titles.set(`call_${index}`, title)
      await insertCall(`call_${index}`, begun, call)
    }
    await fillOutcomes(runner)
    const rows = await sql('SELECT * FROM calls ORDER BY created_at, id')
    expect(rows).to.have.length(titles.size)
    for (const row of rows) {
      const title = titles.get(String(row['id'])) ?? ''
      expect(row, title).to.include(calls[title]![1])
    }
    const [answered] = await sql(`SELECT answered_leg_id FROM calls WHERE id = 'call_0'`)
    expect(answered).to.deep.equal({ answered_leg_id: 'leg_10' })
  })

  it('leave messages to listen to of the last week only', async () => {
    const now = Date.now()
    await insertCall('call_old', new Date(now - 8 * 86_400_000), { message: 'ready' })
    await insertCall('call_new', new Date(now - 6 * 86_400_000), { message: 'ready' })
    await markOldVoicemails(runner)
    const rows = await sql(
      `SELECT call_id, heard_at IS NULL AS isNew FROM recordings WHERE call_id IN ('call_old', 'call_new') ORDER BY 1`,
    )
    expect(rows).to.deep.equal([
      { call_id: 'call_new', isNew: 1 },
      { call_id: 'call_old', isNew: 0 },
    ])
  })
})
