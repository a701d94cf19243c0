import { Column, Entity, PrimaryColumn } from 'typeorm'
import { asciiId, timestamp } from '../../infrastructure/database/columns.js'

/** That an agent is in a team: at most once. It goes with either of them. */
@Entity('team_members')
export class TeamMember {
  /** `mem_…` */
  @PrimaryColumn(asciiId) id!: string
  @Column(asciiId) workspace_id!: string
  @Column(asciiId) team_id!: string
  @Column(asciiId) agent_id!: string
  @Column(timestamp) created_at!: Date
}
