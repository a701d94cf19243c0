import { Column, Entity, PrimaryColumn } from 'typeorm'
import { flag, timestamp } from '../../infrastructure/database/columns.js'

/** One switch and the servers that may drive it. All cells share the database and Redis. */
@Entity('cells')
export class Cell {
  @PrimaryColumn({ type: 'varchar', length: 32, charset: 'ascii', collation: 'ascii_bin' }) name!: string
  /** Where Kamailio reaches the switch’s SIP, `host:port`; '' if Kamailio needs no address. */
  @Column({ type: 'varchar', length: 64, charset: 'ascii', collation: 'ascii_bin' }) switch_address!: string
  /** The server that drives the switch, or was the last to. */
  @Column({ type: 'varchar', length: 64, charset: 'ascii', collation: 'ascii_bin' }) server_id!: string
  /** When that server last said that it lives: by the database’s clock, in UTC. */
  @Column(timestamp) beat_at!: Date
  /** When it last knew that its switch lives, by the clock that the ends of calls are dated by; null: never. */
  @Column({ ...timestamp, nullable: true }) heard_at!: Date | null
  /** Whether no call may begin there. */
  @Column(flag) is_draining!: boolean
  /** Whether a server is linked to the switch. */
  @Column(flag) is_up!: boolean
  /** When another cell last ended what was left of its calls; null once its own server has heard of that. */
  @Column({ ...timestamp, nullable: true }) undertaken_at!: Date | null
}
