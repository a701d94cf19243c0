import { Column, Entity, PrimaryColumn } from 'typeorm'
import { asciiId, timestamp } from '../../infrastructure/database/columns.js'

/** What an extension may lead to, and the column that names it. */
export const destinationIds = {
  agent: 'agent_id',
  team: 'team_id',
  'sip-account': 'sip_account_id',
  'voice-agent': 'voice_agent_id',
} as const

export type Destination = keyof typeof destinationIds
export type DestinationId = (typeof destinationIds)[Destination]

const nullableId = { ...asciiId, nullable: true } as never

/** A short number that leads to somebody of the workspace. Only the id of its destination is set. */
@Entity('extensions')
export class Extension {
  /** `ex_…` */
  @PrimaryColumn(asciiId) id!: string
  @Column(asciiId) workspace_id!: string
  /** 3 to 6 digits, unique in the workspace. */
  @Column({ type: 'varchar', length: 6, charset: 'ascii', collation: 'ascii_bin' }) extension_number!: string
  @Column({ type: 'varchar', length: 36 }) title!: string
  @Column(asciiId) destination!: Destination
  @Column(nullableId) agent_id!: string | null
  @Column(nullableId) team_id!: string | null
  @Column(nullableId) sip_account_id!: string | null
  @Column(nullableId) voice_agent_id!: string | null
  @Column(timestamp) created_at!: Date
  @Column(timestamp) updated_at!: Date
}
