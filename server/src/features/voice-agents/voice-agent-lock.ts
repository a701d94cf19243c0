import type { EntityManager } from 'typeorm'
import type { Database } from '../../infrastructure/database/database.js'
import { type Owner, WorkspaceTable } from '../../infrastructure/database/workspace-table.js'
import { notFound } from '../../infrastructure/http/errors.js'
import { VoiceAgent } from './voice-agent.entity.js'

/** Contract, GET /voice-agents/:id. */
export const noVoiceAgent = () => notFound('Voice Agent not found')

/**
 * Runs `work` while no other request changes the voice agent: its versions and tools refer to each other.
 * @throws 404
 */
export async function withVoiceAgent<T>(
  database: Database,
  workspace: Owner,
  id: string,
  work: (tx: EntityManager, agent: VoiceAgent) => Promise<T>,
): Promise<T> {
  const table = new WorkspaceTable(database, VoiceAgent)
  return database.transaction(async (tx) => {
    const agent = await table.in(tx).lock(workspace, id)
    if (!agent) throw noVoiceAgent()
    return work(tx, agent)
  })
}
