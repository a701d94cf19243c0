/** Fills calls, legs and timelines straight in the database, with ids and ages as if they had come one after the other. */
import type { Connection } from 'mysql2/promise'

const callsAtOnce = 5_000

/** The time part of a ULID grows with `seq`: ids are in the order of age, as they are where calls come. */
const key = "CONCAT('01', LPAD(CONV(seq, 10, 32), 14, '0'), LPAD(CONV(CRC32(seq), 10, 32), 10, '0'))"

/**
 * Makes ended calls of a workspace, spread evenly over some days up to now, each with two legs and so many events.
 * @returns when it is done
 */
export async function fillCalls(
  connection: Connection,
  {
    workspace,
    calls,
    eventsOfCall,
    days,
  }: { workspace: string; calls: number; eventsOfCall: number; days: number },
  progress: (made: number) => void,
): Promise<void> {
  await connection.query('SET SESSION foreign_key_checks = 0, SESSION unique_checks = 0')
  const at = `UTC_TIMESTAMP(3) - INTERVAL FLOOR((${calls} - seq) * ${days * 86_400} / ${calls}) SECOND`
  for (let from = 0; from < calls; from += callsAtOnce) {
    const seqs = `seq_${from}_to_${Math.min(from + callsAtOnce, calls) - 1}`
    await connection.query(
      `INSERT INTO calls (id, workspace_id, direction, status, from_number, from_name, to_number, to_name, max_duration,
         script, live, created_at, answered_at, ended_at, duration, cost)
       SELECT CONCAT('call_', LOWER(${key})), ?, 'outbound', 'completed', '+12025550199', 'Acme', '+12025550142', 'Zoe',
         7200, '[{"action":"tts","params":{"text":"Hello"}}]', NULL, ${at}, ${at}, ${at}, 61, 0.02 FROM ${seqs}`,
      [workspace],
    )
    for (const role of ['called', 'destination'])
      await connection.query(
        `INSERT INTO call_legs (id, call_id, workspace_id, channel_id, role, number, uri, fee_per_minute, charged_seconds,
           cost, rate_prefix, created_at, answered_at, ended_at)
         SELECT CONCAT('leg_${role.slice(0, 1)}', SUBSTRING(LOWER(${key}), 2)), CONCAT('call_', LOWER(${key})), ?, UUID(), '${role}', '12025550142',
           'carrier.example:5060;udp', 0.01, 61, 0.01, '1202', ${at}, ${at}, ${at} FROM ${seqs}`,
        [workspace],
      )
    await connection.query(
      `INSERT INTO call_events (id, call_id, workspace_id, event, direction, details, created_at)
       SELECT CONCAT('evt_', LOWER(${key.replaceAll('seq', 's.seq')}), LPAD(e.seq, 2, '0')), CONCAT('call_', LOWER(${key.replaceAll('seq', 's.seq')})), ?,
         'call.action', 'outbound', '{"action":"tts","outcome":"completed","text":"Good morning, this is Acme."}',
         ${at.replaceAll('seq', 's.seq')} FROM ${seqs} s JOIN seq_1_to_${eventsOfCall} e`,
      [workspace],
    )
    progress(Math.min(from + callsAtOnce, calls))
  }
}
