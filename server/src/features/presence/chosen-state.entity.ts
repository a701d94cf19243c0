import { Column, Entity, PrimaryColumn } from 'typeorm'
import { asciiId, timestamp } from '../../infrastructure/database/columns.js'
import type { ChoosableState } from '../agents/agent-state.js'

/** An agent's choice to take no calls, though they can be reached. Agents who take calls have no row. */
@Entity('chosen_states')
export class ChosenState {
  @PrimaryColumn(asciiId) workspace_id!: string
  @PrimaryColumn(asciiId) agent_id!: string
  @Column(asciiId) state!: Exclude<ChoosableState, 'available'>
  /** One of the reasons that the workspace offered. */
  @Column({ type: 'varchar', length: 40, nullable: true }) reason!: string | null
  /** The agent, or the leader or supervisor who chose for them: `ag_…` */
  @Column(asciiId) chosen_by!: string
  @Column(timestamp) chosen_at!: Date
}
