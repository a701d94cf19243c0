import { Column, Entity, PrimaryColumn } from 'typeorm'
import { asciiId, timestamp, word } from '../../infrastructure/database/columns.js'
import type { SipTransport } from '../../infrastructure/http-client/sip-servers.js'

/** Whether a carrier answers at an address. `unknown`: not pinged lately. */
export const pingStates = ['reachable', 'unreachable', 'unknown'] as const
export type PingState = (typeof pingStates)[number]

const text = { type: 'varchar', charset: 'ascii', collation: 'ascii_bin' } as const

/** What an address of a gateway last said to the OPTIONS of an edge. */
@Entity('gateway_pings')
export class GatewayPing {
  @PrimaryColumn(asciiId) gateway_id!: string
  /** The edge that asked, `host:port`. */
  @PrimaryColumn({ ...text, length: 64 }) edge!: string
  /** As the gateway names it. */
  @PrimaryColumn({ ...text, length: 253 }) host!: string
  @PrimaryColumn({ ...text, length: 45 }) address!: string
  @PrimaryColumn({ type: 'smallint', unsigned: true }) port!: number
  @PrimaryColumn({ ...text, length: 16 }) transport!: SipTransport
  @Column(word) state!: Exclude<PingState, 'unknown'>
  /** Of the answer; null: there was none. */
  @Column({ type: 'smallint', unsigned: true, nullable: true }) status_code!: number | null
  @Column({ type: 'int', unsigned: true }) round_trip_ms!: number
  /** When it got into this state. */
  @Column(timestamp) since!: Date
  @Column(timestamp) checked_at!: Date
}
