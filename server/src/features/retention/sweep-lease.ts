/** Which of several servers sweeps: it holds a lease in the database and renews it as it goes. */
import type { Database } from '../../infrastructure/database/database.js'

/** A server that has died leaves the lease to another one after this. */
const leaseMs = 120_000

export class SweepLease {
  constructor(
    private readonly database: Database,
    private readonly name: string,
    private readonly serverId: string,
  ) {}

  /** Takes or renews the lease. @returns whether this server has it */
  async take(): Promise<boolean> {
    const now = new Date()
    const until = new Date(now.getTime() + leaseMs)
    // Assignments are made from left to right: the second one sees whose it is by now.
    await this.database.source.query(
      `INSERT INTO sweep_leases (name, server_id, leased_until) VALUES (?, ?, ?)
       ON DUPLICATE KEY UPDATE server_id = IF(leased_until < ?, VALUES(server_id), server_id),
         leased_until = IF(server_id = VALUES(server_id), VALUES(leased_until), leased_until)`,
      [this.name, this.serverId, until, now],
    )
    const [row] = await this.database.source.query<{ server_id: string }[]>(
      'SELECT server_id FROM sweep_leases WHERE name = ?',
      [this.name],
    )
    return row?.server_id === this.serverId
  }

  async giveBack(): Promise<void> {
    await this.database.source.query('DELETE FROM sweep_leases WHERE name = ? AND server_id = ?', [
      ...[this.name, this.serverId],
    ])
  }
}
