import { Column, Entity, PrimaryColumn } from 'typeorm'
import { asciiId } from '../database/columns.js'

const word = (length: number) =>
  ({ type: 'varchar', length, charset: 'ascii', collation: 'ascii_bin' }) as const

/** A name that phones of a workspace register with: a SIP account's or an agent's, of which it has one. */
@Entity('sip_usernames')
export class SipUsername {
  @PrimaryColumn(asciiId) workspace_id!: string
  @PrimaryColumn(word(30)) username!: string
  /** Null for an agent that has no hashes to register with. */
  @Column({ ...word(190), nullable: true }) domain!: string | null
  @Column({ ...asciiId, nullable: true } as never) sip_account_id!: string | null
  @Column({ ...asciiId, nullable: true } as never) agent_id!: string | null
}
