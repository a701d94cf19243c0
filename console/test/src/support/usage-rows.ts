/** Calls and messages of past days, straight in the database: nobody waits a month for a chart. */
import { query } from '../../../../server/dist/test/api/database.js'
import type { TestWorkspace } from '../../../../server/dist/test/support/appliance.js'

/**
 * Calls and messages of each of the last days, in both directions: as many on a day as days have gone since.
 * @param days of which the last is today
 * @param today in UTC
 */
export async function addUsage(
  { id, appliance }: TestWorkspace,
  days: number,
  today = new Date().toISOString().slice(0, 10),
): Promise<void> {
  const at = `TIMESTAMP('${today}') - INTERVAL day.seq DAY`
  const direction = "IF(nth.seq % 3 = 0, 'outbound', 'inbound')"
  const key = "CONCAT(day.seq, '_', nth.seq)"
  const rows = `seq_0_to_${days - 1} day JOIN seq_0_to_${days} nth WHERE nth.seq <= day.seq`
  await query(
    appliance,
    `INSERT INTO calls (id, workspace_id, direction, status, from_number, from_name, to_number, to_name,
      max_duration, script, live, created_at, duration, cost)
     SELECT CONCAT('call_', ${key}), ?, ${direction}, 'completed', '', '', '', '', 1, '[]', NULL, ${at},
      60 + 7 * nth.seq, 0.0125 FROM ${rows}`,
    [id],
  )
  await query(
    appliance,
    `INSERT INTO messages (id, workspace_id, conversation_id, phone_number_id, system_number, client_number,
      direction, status, position, sender_type, body, encoding, segments, cost, created_at, updated_at)
     SELECT CONCAT('msg_', ${key}), ?, 'conv_1', 'pn_1', '12025550199', '12025550142', ${direction}, 'sent',
      1000 * day.seq + nth.seq, 'system', '', 'gsm7', 2, 0.01, ${at}, ${at} FROM ${rows}`,
    [id],
  )
}
