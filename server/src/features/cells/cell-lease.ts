/**
 * The row of the own cell in the table `cells`: that its server lives, and where its switch is. A cell has one switch. A
 * server that comes under the name of a cell whose switch is elsewhere, and which lives, leaves the row alone and drives
 * nothing.
 */
import type { Logger } from 'pino'
import type { OwnConnection } from '../../infrastructure/database/own-connection.js'
import { HeartbeatMonitor } from './heartbeat-monitor.js'

/** A cell whose server has not been heard of for this long is dead, in milliseconds. */
export const deadAfterMs = 6_000

/** What the own row says of the cell. */
export interface OwnCell {
  readonly name: string
  /** `host:port`; '' if no edge needs it. */
  readonly switchAddress: string
  readonly serverId: string
  /** Whether this server drives it, or would if it had the switch. */
  readonly mayDrive: boolean
  /** Whether this server drives it. */
  readonly drives: () => boolean
  readonly isUp: () => boolean
  /** When the switch was last known to live, by this machine’s clock; null where this server never reached it. */
  readonly heardAt: () => Date | null
}

interface TakenRow {
  readonly switch_address: string
  readonly server_id: string
  readonly beat_at: Date
  readonly heard_at: Date | null
}

/** How often the same is logged. */
const logMs = 60_000

export class CellLease {
  /** When the previous driver of the cell last knew that its switch lives; null while that is not known. */
  heardBefore: Date | null = null
  /** How long the holder of the name has been silent. */
  private readonly silences = new HeartbeatMonitor()
  private loggedAt = -Infinity

  constructor(
    private readonly connection: Pick<OwnConnection, 'query'>,
    private readonly own: OwnCell,
    private readonly log: Logger,
  ) {}

  /** Writes the state of the cell. @returns whether this server may drive the switch @throws when the database is down */
  async write(): Promise<boolean> {
    const { mayDrive, drives } = this.own
    const isOurs = mayDrive && (await this.claim())
    // A server that has lost the switch, and has no successor, is still alive.
    if (isOurs && drives()) await this.beat()
    else await this.down()
    return isOurs
  }

  /** Marks the cell as down: it gets no new calls. */
  async down(): Promise<void> {
    const { name, serverId, heardAt } = this.own
    await this.connection.query(
      `UPDATE cells SET is_up = FALSE, beat_at = UTC_TIMESTAMP(3), heard_at = COALESCE(?, heard_at)
       WHERE name = ? AND server_id = ?`,
      [heardAt(), name, serverId],
    )
  }

  /** Confirms that this server knows that others ended calls of its cell. */
  async hasReturned(): Promise<void> {
    await this.connection.query('UPDATE cells SET undertaken_at = NULL WHERE name = ?', [this.own.name])
  }

  /** @returns whether the name belongs to our switch; it may take the name of another one that has been silent for long */
  private async claim(): Promise<boolean> {
    const { name, switchAddress, serverId } = this.own
    let row = await this.read().catch((error: unknown) => {
      this.silences.forget()
      throw error
    })
    if (row) this.silences.look([{ name, beat_at: row.beat_at }])
    if (row && (!this.heardBefore || row.server_id !== serverId))
      this.heardBefore = row.heard_at ?? row.beat_at
    if (row?.switch_address !== switchAddress) {
      if (!row) await this.make()
      else if (this.mayTake(row)) await this.take(row)
      row = await this.read()
    }
    const isOurs = row?.switch_address === switchAddress
    if (!isOurs) this.complain(row)
    return isOurs
  }

  private async read(): Promise<TakenRow | undefined> {
    const [row] = await this.connection.query<TakenRow[]>(
      'SELECT switch_address, server_id, beat_at, heard_at FROM cells WHERE name = ?',
      [this.own.name],
    )
    return row
  }

  /** Whether the name is free, or its server has been silent for long, as measured by this server, not by clocks. */
  private mayTake({ server_id }: TakenRow): boolean {
    const { name, serverId } = this.own
    return ['', serverId].includes(server_id) || this.silences.of(name) >= deadAfterMs
  }

  /** Does nothing if the other server has sent a heartbeat since. */
  private async take({ server_id, beat_at }: TakenRow): Promise<void> {
    const { name, switchAddress, serverId } = this.own
    await this.connection.query(
      `UPDATE cells SET switch_address = ?, server_id = ?, beat_at = UTC_TIMESTAMP(3), is_up = FALSE
       WHERE name = ? AND server_id = ? AND beat_at = ?`,
      [switchAddress, serverId, name, server_id, beat_at],
    )
  }

  private async make(): Promise<void> {
    const { name, switchAddress, serverId } = this.own
    await this.connection.query(
      `INSERT IGNORE INTO cells (name, switch_address, server_id, beat_at, is_up)
       VALUES (?, ?, ?, UTC_TIMESTAMP(3), FALSE)`,
      [name, switchAddress, serverId],
    )
  }

  private async beat(): Promise<void> {
    const { name, switchAddress, serverId, isUp, heardAt } = this.own
    await this.connection.query(
      `UPDATE cells SET server_id = ?, beat_at = UTC_TIMESTAMP(3), heard_at = COALESCE(?, heard_at), is_up = ?
       WHERE name = ? AND switch_address = ?`,
      [serverId, heardAt(), isUp(), name, switchAddress],
    )
  }

  private complain(row: TakenRow | undefined): void {
    if (performance.now() - this.loggedAt < logMs) return
    this.loggedAt = performance.now()
    const { name, switchAddress } = this.own
    this.log.error(
      {
        event: 'cell.name_taken',
        cell: name,
        switch: switchAddress,
        takenBy: row?.server_id,
        takenSwitch: row?.switch_address,
      },
      `JACKFIELD_CELL: another switch goes by the name "${name}" and lives; this one is not driven until it has a name of its own`,
    )
  }
}
