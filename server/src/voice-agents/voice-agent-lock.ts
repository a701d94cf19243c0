import type { EntityManager } from 'typeorm'
import type { Database } from '../database/database.js'
import { type Owner, WorkspaceTable } from '../database/workspace-table.js'
import { notFound } from '../http/errors.js'
import { VoiceAgent } from './voice-agent.entity.js'

/** Contract, GET /voice-agents/:id. */
export const noVoiceAgent = () => notFound('Voice Agent not found')

/**
 * Runs `work` while nobody else changes the voice agent: what its versions and tools say of each other
 * is changed by one request at a time.
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
