/**
 * Devices on which agents have logged in. Wrong passwords from elsewhere do not block them: knowing a username is not
 * enough to lock its agent out of a device that is used for work.
 */
import { createHash } from 'node:crypto'
import type { EntityManager } from 'typeorm'
import type { Agent } from '../agents/agent.entity.js'
import { deleteInBatches } from '../../infrastructure/database/batches.js'
import type { Database } from '../../infrastructure/database/database.js'
import type { Owner } from '../../infrastructure/database/workspace-table.js'

/** A device that is not used for this time, in milliseconds, counts as new. */
const retainedMs = 90 * 86_400_000
/** Devices of an agent that are known; those used last. */
const maxDevices = 50

export class KnownDevices {
  constructor(private readonly database: Database) {}

  /** Whether the agent of a username has logged in on a device. */
  async has(workspace: Owner, username: string, deviceId: string): Promise<boolean> {
    const rows: unknown[] = await this.database.source.query(
      `SELECT 1 FROM agents agent JOIN agent_known_devices known ON known.agent_id = agent.id
       WHERE agent.workspace_id = ? AND agent.username = ? AND known.device = ? AND known.used_at > ?`,
      [workspace.id, username, deviceHash(deviceId), new Date(Date.now() - retainedMs)],
    )
    return rows.length > 0
  }

  /** Keeps a device on which an agent has just logged in. */
  async remember({ id, workspace_id }: Agent, deviceId: string): Promise<void> {
    await this.database.transaction(async (tx) => {
      await tx.query(
        `INSERT INTO agent_known_devices (agent_id, workspace_id, device, used_at) VALUES (?, ?, ?, ?)
         ON DUPLICATE KEY UPDATE used_at = VALUES(used_at)`,
        [id, workspace_id, deviceHash(deviceId), new Date()],
      )
      const surplus: { device: string }[] = await tx.query(
        'SELECT device FROM agent_known_devices WHERE agent_id = ? ORDER BY used_at DESC LIMIT 100 OFFSET ?',
        [id, maxDevices],
      )
      if (surplus.length > 0)
        await tx.query('DELETE FROM agent_known_devices WHERE agent_id = ? AND device IN (?)', [
          id,
          surplus.map(({ device }) => device),
        ])
    })
  }

  /** Forgets the devices of an agent whose password changes: an intruder may have logged in on some of them. */
  async forgetWith(tx: EntityManager, before: Agent, after: Agent): Promise<void> {
    if (before.password_hash === after.password_hash) return
    await tx.query('DELETE FROM agent_known_devices WHERE agent_id = ?', [after.id])
  }

  /** Forgets devices that have not been used for long. */
  async sweep(): Promise<void> {
    const before = new Date(Date.now() - retainedMs)
    await deleteInBatches(this.database, 'agent_known_devices', 'used_at < ?', [before])
  }
}

/** How a device is kept: its id is part of what a log-in proves. */
export function deviceHash(deviceId: string): string {
  return createHash('sha256').update(deviceId).digest('hex')
}
