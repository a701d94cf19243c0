/** Fills calls with their legs and timelines, and messages with their conversations, straight in the database. */
import type { Connection } from 'mysql2/promise'

/** Rows of a unit: a call, its leg, five events and three messages of a conversation. */
export const rowsOfUnit = 10

const unitsAtOnce = 5_000
const daySeconds = 86_400

/** Part of an id that grows with `seq`, as ids do with time. */
const key = "LOWER(CONCAT('00', LPAD(CONV(seq, 10, 32), 14, '0'), LPAD(CONV(CRC32(seq), 10, 32), 10, '0')))"

const events = ['call.created', 'call.ringing', 'call.answered', 'call.action', 'call.ended']

/** The number that a unit was called at and wrote with, without its plus sign. */
export const clientOf = (unit: number) => `4930${String(unit).padStart(8, '0')}`

export interface Units {
  /** SQL of the workspace of the unit `seq`. */
  workspace: string
  /** Numbers of the first unit and of the one after the last: no two fills of a database may overlap. */
  from: number
  to: number
  /** Days before today on which unit 0, and on which unit `lastUnit`, was: the others lie between. */
  days: readonly [first: number, last: number]
  lastUnit: number
}

/** Rows come in the order of their age, as they would have come. */
export async function fillUnits(connection: Connection, units: Units): Promise<void> {
  await connection.query('SET SESSION foreign_key_checks = 0, SESSION unique_checks = 0')
  for (let from = units.from; from < units.to; from += unitsAtOnce)
    await insertUnits(connection, units, `seq_${from}_to_${Math.min(from + unitsAtOnce, units.to) - 1}`)
}

async function insertUnits(
  connection: Connection,
  { workspace, days: [first, last], lastUnit }: Units,
  seqs: string,
): Promise<void> {
  const seconds = (first - last) * daySeconds
  const at = `UTC_TIMESTAMP(3) - INTERVAL FLOOR(${first * daySeconds} - seq * ${seconds} / ${lastUnit}) SECOND`
  // One in ten, for the filters.
  const isOdd = 'FLOOR(seq / 2) % 10 = 0'
  const client = "CONCAT('4930', LPAD(seq, 8, '0'))"
  await connection.query(
    `INSERT INTO calls (id, workspace_id, direction, status, from_number, from_name, to_number, to_name, max_duration,
       script, live, created_at, answered_at, ended_at, duration, cost, search_text)
     SELECT CONCAT('call_', ${key}), ${workspace}, 'outbound', IF(${isOdd}, 'busy', 'completed'), '+12025550199', 'Acme',
       CONCAT('+', ${client}), 'Client', 7200, '[{"action":"tts","params":{"text":"Hello"}}]', NULL, ${at}, ${at}, ${at}, 61, 0.02,
       CONCAT_WS(CHAR(1), '+12025550199', CONCAT('+', ${client}), 'acme', 'client')
     FROM ${seqs}`,
  )
  await connection.query(
    `INSERT INTO call_legs (id, call_id, workspace_id, channel_id, role, number, uri, fee_per_minute, charged_seconds,
       cost, rate_prefix, created_at, answered_at, ended_at)
     SELECT CONCAT('leg_', ${key}), CONCAT('call_', ${key}), ${workspace}, UUID(), 'called', ${client},
       'carrier.example:5060;udp', 0.01, 61, 0.01, '4930', ${at}, ${at}, ${at} FROM ${seqs}`,
  )
  const details = `{"action":"tts","outcome":"completed","text":"Good morning, this is Acme."}`
  for (const [place, event] of events.entries())
    await connection.query(
      `INSERT INTO call_events (id, call_id, workspace_id, event, direction, details, created_at)
       SELECT CONCAT('evt_', ${key}, '${place}'), CONCAT('call_', ${key}), ${workspace}, '${event}', 'outbound',
         ${event === 'call.action' ? `'${details}'` : 'NULL'}, ${at} FROM ${seqs}`,
    )
  await connection.query(
    `INSERT INTO conversations (id, workspace_id, phone_number_id, system_number, client_number, status, message_count,
       last_message_id, last_message_at, created_at, updated_at)
     SELECT CONCAT('conv_', ${key}), ${workspace}, 'pn_bench', '12025550199', ${client}, 'open', 3,
       CONCAT('msg_', ${key}, '3'), ${at}, ${at}, ${at} FROM ${seqs}`,
  )
  for (const position of [1, 2, 3])
    await connection.query(
      `INSERT INTO messages (id, workspace_id, conversation_id, position, phone_number_id, system_number, client_number,
         direction, status, sender_type, body, encoding, segments, price, cost, sent_at, created_at, updated_at,
         search_text)
       SELECT CONCAT('msg_', ${key}, '${position}'), ${workspace}, CONCAT('conv_', ${key}), ${position}, 'pn_bench',
         '12025550199', ${client}, 'outbound', IF(${isOdd}, 'undelivered', 'delivered'), 'system',
         CONCAT('Your order ', seq, ' is ready at the counter.'), 'gsm7', 1, 0.01, 0.01, ${at}, ${at}, ${at},
         CONCAT_WS(CHAR(1), '12025550199', ${client}, CONCAT('your order ', seq, ' is ready at the counter.'))
       FROM ${seqs}`,
    )
}
