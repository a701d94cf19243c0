import { Column, Entity, PrimaryColumn } from 'typeorm'
import { asciiId, timestamp } from '../../infrastructure/database/columns.js'

/** The operator in a workspace's console. Leaving, or revoking it, removes the row. */
@Entity('operator_entries')
export class OperatorEntry {
  /** `ent_…`: the tokens name it, and are stored nowhere. */
  @PrimaryColumn(asciiId) id!: string
  @Column(asciiId) workspace_id!: string
  @Column(timestamp) created_at!: Date
  /** When the link was used; null until then. */
  @Column({ ...timestamp, nullable: true }) entered_at!: Date | null
  @Column(timestamp) expires_at!: Date
}
