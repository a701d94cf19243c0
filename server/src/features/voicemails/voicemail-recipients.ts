/** The agents that get a voicemail by e-mail: those that may see it, and want the mail. */
import type { EntityManager } from 'typeorm'
import type { Owner } from '../../infrastructure/database/workspace-table.js'
import { isVoicemailOf } from './voicemail-audience.js'

export interface VoicemailRecipient {
  readonly agent_id: string
  readonly email: string
  readonly display_name: string
  readonly from_number: string
  /** Of the caller, as the call's record has it; empty for none. */
  readonly from_name: string
  /** Title of the team that the call was for. */
  readonly team: string | null
  readonly duration_ms: number | null
  readonly size_bytes: number | null
  readonly transcript: string | null
}

/** @param agentId only this one */
export async function voicemailRecipients(
  tx: EntityManager,
  workspace: Owner,
  recordingId: string,
  agentId?: string,
): Promise<VoicemailRecipient[]> {
  return tx.query<VoicemailRecipient[]>(
    `SELECT agent.id AS agent_id, agent.email, agent.display_name, message.from_number,
       COALESCE(calls.from_name, '') AS from_name, team.title AS team, message.duration_ms, message.size_bytes,
       message.transcript
     FROM recordings message JOIN calls ON calls.id = message.call_id
     JOIN agents agent ON agent.workspace_id = message.workspace_id
     LEFT JOIN teams team ON team.id = calls.team_id
     WHERE message.id = ? AND message.workspace_id = ? AND message.kind = 'voicemail' AND message.status = 'ready'
       AND agent.voicemail_by_email = 1 AND agent.is_active = 1 AND agent.email IS NOT NULL
       ${agentId === undefined ? '' : 'AND agent.id = ?'}
       AND ${isVoicemailOf('agent.id', "(agent.role <> 'member' OR agent.is_admin = 1)")}`,
    [recordingId, workspace.id, ...(agentId === undefined ? [] : [agentId])],
  )
}
