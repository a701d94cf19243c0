import { Column, Entity, PrimaryColumn } from 'typeorm'
import { asciiId, timestamp } from '../../infrastructure/database/columns.js'

/** Agents that take calls and messages together. */
@Entity('teams')
export class Team {
  /** `te_…` */
  @PrimaryColumn(asciiId) id!: string
  @Column(asciiId) workspace_id!: string
  /** Unique in the workspace whatever its case and accents, as calls are transferred to teams by it. */
  @Column({ type: 'varchar', length: 36 }) title!: string
  @Column(timestamp) created_at!: Date
  @Column(timestamp) updated_at!: Date
}
