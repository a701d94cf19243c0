/** What tests of the agents' API need: people in teams, and calls that they had. */
import { randomUUID } from 'node:crypto'
import { newId } from '../../src/infrastructure/database/ids.js'
import type { Appliance, TestWorkspace } from '../support/appliance.js'
import { query } from './database.js'
import { newTeam, personOf, succeed } from './fixtures.js'

interface LegOf {
  agent_id: string | null
  role?: 'caller' | 'called' | 'destination' | 'supervisor'
  answered?: boolean
}

/** A team of the workspace's people of all roles. */
export async function teamOfAll(workspace: TestWorkspace): Promise<string> {
  const id = await newTeam(workspace.api)
  for (const role of ['member', 'leader', 'supervisor'] as const) {
    const person = await personOf(workspace, role)
    await succeed(workspace.api.put(`/teams/${id}/agents/${person.id}`))
  }
  return id
}

/** Puts a call that has ended into the tables, as the server leaves it. */
export async function insertCall(
  appliance: Appliance,
  workspace: { id: string },
  legs: readonly LegOf[],
): Promise<string> {
  const [id, now] = [newId('call'), new Date()]
  await query(
    appliance,
    `INSERT INTO calls (id, workspace_id, direction, status, from_number, from_name, to_number, to_name, max_duration,
       script, line, live, created_at, answered_at, ended_at, duration)
     VALUES (?, ?, 'inbound', 'completed', '+12025550142', 'Zoe', '+12025550100', '+12025550100', 7200,
       '[]', 'caller', NULL, ?, ?, ?, 3)`,
    [id, workspace.id, now, now, now],
  )
  for (const { agent_id, role = 'destination', answered = true } of legs) {
    await query(
      appliance,
      `INSERT INTO call_legs (id, call_id, workspace_id, channel_id, role, number, uri, fee_per_minute, agent_id,
         created_at, answered_at, ended_at)
       VALUES (?, ?, ?, ?, ?, 'jane', 'sip:jane@somewhere', 0, ?, ?, ?, ?)`,
      [newId('leg'), id, workspace.id, randomUUID(), role, agent_id, now, answered ? now : null, now],
    )
  }
  const agents = legs.flatMap(({ agent_id }) => agent_id ?? [])
  await query(
    appliance,
    `INSERT INTO team_calls (workspace_id, team_id, call_id)
     SELECT DISTINCT workspace_id, team_id, ? FROM team_members WHERE agent_id IN (?)`,
    [id, [...agents, '']],
  )
  return id
}

/** A call between two agents' phones: they talk, or, with an outcome, the caller gave up while it rang. */
export async function insertInternalCall(
  appliance: Appliance,
  workspace: { id: string },
  [caller, called]: readonly [CallingAgent, CallingAgent],
  isMissed = false,
): Promise<string> {
  const [id, now] = [newId('call'), new Date()]
  const ended = isMissed ? now : null
  await query(
    appliance,
    `INSERT INTO calls (id, workspace_id, direction, status, from_number, from_name, to_number, to_name, max_duration,
       script, line, live, created_at, answered_at, ended_at, outcome, abandoned_in, ended_by, ring_seconds)
     VALUES (?, ?, 'outbound', ?, ?, ?, ?, ?, 7200, '[]', NULL, ?, ?, ?, ?, ?, ?, ?, ?)`,
    [
      ...[id, workspace.id, isMissed ? 'canceled' : 'active'],
      ...[caller.username, caller.display_name, called.username, called.display_name],
      ...[isMissed ? null : 1, now, isMissed ? null : now, ended],
      ...(isMissed ? ['abandoned', 'ringing', 'caller', 7] : [null, null, null, null]),
    ],
  )
  for (const [role, { id: agent_id, username }] of [
    ['caller', caller] as const,
    ['called', called] as const,
  ]) {
    await query(
      appliance,
      `INSERT INTO call_legs (id, call_id, workspace_id, channel_id, role, number, uri, fee_per_minute, agent_id,
         created_at, answered_at, ended_at)
       VALUES (?, ?, ?, ?, ?, ?, 'sip:somebody@somewhere', 0, ?, ?, ?, ?)`,
      [
        newId('leg'),
        id,
        workspace.id,
        randomUUID(),
        role,
        username,
        agent_id,
        now,
        isMissed ? null : now,
        ended,
      ],
    )
  }
  if (isMissed) await insertOffer(appliance, workspace, { call_id: id, agent_id: called.id })
  return id
}

interface CallingAgent {
  id: string
  username: string
  display_name: string
}

/** An agent whom a call rang for four seconds, until its caller left. */
export async function insertOffer(
  appliance: Appliance,
  workspace: { id: string },
  { call_id, agent_id }: { call_id: string; agent_id: string },
): Promise<void> {
  await query(
    appliance,
    `INSERT INTO call_offers (id, call_id, workspace_id, agent_id, began_at, ended_at, result)
     VALUES (?, ?, ?, ?, NOW(3), NOW(3) + INTERVAL 4 SECOND, 'caller_left')`,
    [newId('off'), call_id, workspace.id, agent_id],
  )
}

/** A call that was offered to an agent, whose caller gave up. */
export async function insertMissedCall(
  appliance: Appliance,
  workspace: { id: string },
  agentId: string,
): Promise<string> {
  const id = await insertCall(appliance, workspace, [])
  await query(
    appliance,
    "UPDATE calls SET outcome = 'abandoned', abandoned_in = 'ringing', ended_by = 'caller' WHERE id = ?",
    [id],
  )
  await query(
    appliance,
    `INSERT INTO call_offers (id, call_id, workspace_id, agent_id, began_at, ended_at, result)
     VALUES (?, ?, ?, ?, NOW(3), NOW(3), 'caller_left')`,
    [newId('off'), id, workspace.id, agentId],
  )
  await query(
    appliance,
    `INSERT INTO missed_calls (call_id, workspace_id, number, created_at)
     VALUES (?, ?, '+12025550142', NOW(3))`,
    [id, workspace.id],
  )
  return id
}
