/** Offers, waits and outcomes of the calls that ended before these were kept, from their legs and timelines. */
import type { QueryRunner } from 'typeorm'

/** A leg to a person that the call was to reach. */
const isDialled = "leg.role IN ('called', 'destination')"
const isMachine = "(leg.voice_agent_id IS NOT NULL OR leg.uri LIKE 'stream:%')"
const took = `${isDialled} AND leg.answered_at IS NOT NULL AND NOT ${isMachine}`
/** It rang until the end of the call. */
const rangLast = `${isDialled} AND leg.answered_at IS NULL AND leg.ended_at >= calls.ended_at - INTERVAL 1 SECOND`

const offers = `
  INSERT IGNORE INTO call_offers (id, call_id, workspace_id, agent_id, team_id, began_at, ended_at, result)
  SELECT CONCAT('off_', SUBSTRING(leg.id, 5)), leg.call_id, leg.workspace_id, leg.agent_id, NULL, leg.created_at,
    COALESCE(leg.answered_at, leg.ended_at),
    CASE
      WHEN leg.answered_at IS NOT NULL THEN 'answered'
      WHEN leg.hangup_cause = 'LOSE_RACE' THEN 'answered_elsewhere'
      WHEN leg.hangup_cause = 'ORIGINATOR_CANCEL' THEN 'caller_left'
      WHEN leg.hangup_cause IN ('USER_BUSY', 'CALL_REJECTED') THEN 'rejected'
      WHEN leg.hangup_cause = 'SUBSCRIBER_ABSENT' THEN 'offline'
      WHEN leg.hangup_cause IN ('NO_ANSWER', 'NO_USER_RESPONSE', 'ALLOTTED_TIMEOUT', 'PROGRESS_TIMEOUT')
        THEN 'no_answer'
      ELSE 'failed'
    END
  FROM calls JOIN call_legs leg ON leg.call_id = calls.id
  WHERE calls.created_at >= ? AND calls.created_at < ? AND calls.live IS NULL
    AND ${isDialled} AND leg.agent_id IS NOT NULL`

/** A wait ends with the answer, with the next step of the script, or with the call. */
const waits = `
  INSERT IGNORE INTO queue_waits (call_id, team_id, entered_at, workspace_id, left_at, result)
  SELECT had.call_id, had.team_id, had.entered_at, had.workspace_id,
    LEAST(COALESCE(had.answered_at, had.ended_at), COALESCE(had.next_at, had.ended_at), had.ended_at),
    CASE
      WHEN had.answered_at <= COALESCE(had.next_at, had.ended_at) THEN 'answered'
      WHEN had.next_at < had.ended_at THEN 'timed_out'
      ELSE 'left'
    END
  FROM (
    SELECT event.call_id, event.workspace_id, event.created_at AS entered_at, calls.ended_at,
      JSON_VALUE(event.details, '$.team_id') AS team_id,
      (SELECT MIN(leg.answered_at) FROM call_legs leg
        WHERE leg.call_id = calls.id AND ${took} AND leg.answered_at >= event.created_at) AS answered_at,
      (SELECT MIN(later.created_at) FROM call_events later
        WHERE later.call_id = calls.id AND later.event = 'call.action'
          AND later.created_at > event.created_at) AS next_at
    FROM calls JOIN call_events event ON event.call_id = calls.id
    WHERE calls.created_at >= ? AND calls.created_at < ? AND calls.live IS NULL AND event.event = 'call.queued'
  ) had WHERE had.team_id IS NOT NULL`

const outcomes = `
  UPDATE calls JOIN (
    SELECT calls.id,
      MAX(${took}) AS is_taken,
      MAX(${isDialled} AND leg.answered_at IS NOT NULL AND ${isMachine}) AS is_by_machine,
      MAX(${isDialled} AND NOT ${isMachine}) AS is_dialled,
      MIN(IF(${isDialled}, leg.gateway_id IS NOT NULL, NULL)) AS is_outside,
      MAX(${isDialled} AND leg.agent_id IS NOT NULL) AS is_for_agents,
      MAX(leg.role = 'destination' AND ${took}) AS is_connected,
      MAX(${rangLast}) AS rang_last,
      COALESCE(GREATEST(0, TIMESTAMPDIFF(SECOND, MIN(IF(${isDialled} AND NOT ${isMachine}, leg.created_at, NULL)),
        MAX(IF(${isDialled} AND NOT ${isMachine}, COALESCE(leg.answered_at, leg.ended_at), NULL)))), 0) AS ring_seconds,
      COALESCE(SUM(IF(${took} AND leg.role = 'called',
        TIMESTAMPDIFF(SECOND, leg.answered_at, COALESCE(leg.ended_at, calls.ended_at)), 0)), 0) AS called_seconds,
      COALESCE(SUM(IF(${took} AND leg.role = 'destination',
        TIMESTAMPDIFF(SECOND, leg.answered_at, COALESCE(leg.ended_at, calls.ended_at)), 0)), 0) AS connected_seconds
    FROM calls LEFT JOIN call_legs leg ON leg.call_id = calls.id
    WHERE calls.created_at >= ? AND calls.created_at < ? AND calls.live IS NULL
    GROUP BY calls.id
  ) had ON had.id = calls.id
  LEFT JOIN (
    SELECT wait.call_id, MAX(wait.result = 'left') AS is_left,
      SUM(TIMESTAMPDIFF(SECOND, wait.entered_at, wait.left_at)) AS seconds,
      SUBSTRING_INDEX(GROUP_CONCAT(wait.team_id ORDER BY wait.entered_at DESC), ',', 1) AS team_id
    FROM queue_waits wait JOIN calls ON calls.id = wait.call_id
    WHERE calls.created_at >= ? AND calls.created_at < ?
    GROUP BY wait.call_id
  ) wait ON wait.call_id = calls.id
  SET
    calls.outcome = CASE
      WHEN had.is_taken THEN 'answered'
      WHEN EXISTS (SELECT 1 FROM recordings message WHERE message.call_id = calls.id
        AND message.kind = 'voicemail' AND message.status <> 'failed') THEN 'voicemail'
      WHEN had.is_by_machine THEN 'voice_agent'
      WHEN calls.status = 'canceled' OR wait.is_left OR (calls.status = 'completed' AND had.rang_last) THEN 'abandoned'
      WHEN calls.hangup_cause = 'CRASH' THEN 'failed'
      WHEN had.is_dialled IS NULL OR NOT had.is_dialled THEN
        CASE WHEN calls.status = 'completed' AND calls.answered_at IS NOT NULL THEN 'self_service'
          WHEN calls.status = 'failed' OR calls.answered_at IS NULL THEN 'refused' ELSE 'missed' END
      WHEN had.is_outside AND calls.hangup_cause IN ('USER_BUSY', 'CALL_REJECTED') THEN 'refused'
      WHEN calls.status = 'failed' AND NOT had.is_for_agents
        AND calls.hangup_cause NOT IN ('USER_BUSY', 'CALL_REJECTED', 'SUBSCRIBER_ABSENT') THEN 'failed'
      ELSE 'missed'
    END,
    calls.ended_by = 'unknown',
    calls.answered_leg_id = (SELECT leg.id FROM call_legs leg WHERE leg.call_id = calls.id
      AND ${isDialled} AND leg.answered_at IS NOT NULL ORDER BY ${isMachine}, leg.answered_at LIMIT 1),
    calls.team_id = wait.team_id,
    calls.wait_seconds = COALESCE(wait.seconds, 0),
    calls.ring_seconds = had.ring_seconds,
    calls.talk_seconds = IF(calls.line = 'called' AND had.is_connected, 0, had.called_seconds) + had.connected_seconds,
    calls.hold_seconds = 0`

/**
 * Who left first was not kept: a caller left who waited or was rung for until the end. A statement of its own: one that
 * joins tables reads its columns as they were before it.
 */
const abandoned = `
  UPDATE calls SET
    ended_by = 'caller',
    abandoned_in = CASE
      WHEN EXISTS (SELECT 1 FROM queue_waits wait WHERE wait.call_id = calls.id AND wait.result = 'left') THEN 'queue'
      WHEN status = 'canceled' AND answered_at IS NULL THEN 'ringing'
      WHEN EXISTS (SELECT 1 FROM call_legs leg WHERE leg.call_id = calls.id AND ${rangLast}) THEN 'ringing'
      ELSE 'menu'
    END
  WHERE created_at >= ? AND created_at < ? AND live IS NULL AND outcome = 'abandoned'`

/** A day at a time: no transaction holds the rows of years. */
export async function fillOutcomes(runner: QueryRunner): Promise<void> {
  const [span] = (await runner.query(
    'SELECT DATE(MIN(created_at)) AS first, MAX(created_at) AS last FROM calls WHERE outcome IS NULL',
  )) as [{ first: Date | null; last: Date | null }]
  if (!span.first || !span.last) return
  for (let day = span.first; day <= span.last; day = dayAfter(day)) {
    const its = [day, dayAfter(day)]
    await runner.query(offers, its)
    await runner.query(waits, its)
    await runner.query(outcomes, [...its, ...its])
    await runner.query(abandoned, its)
  }
}

/** Agents have had their own ways to voicemails until now: only those of the last week are new to them. */
export async function markOldVoicemails(runner: QueryRunner): Promise<void> {
  await runner.query(
    `UPDATE recordings SET heard_at = COALESCE(ended_at, created_at)
     WHERE kind = 'voicemail' AND heard_at IS NULL AND created_at < UTC_TIMESTAMP(3) - INTERVAL 7 DAY`,
  )
}

function dayAfter(day: Date): Date {
  return new Date(day.getTime() + 86_400_000)
}
