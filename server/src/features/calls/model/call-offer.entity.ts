import { Column, Entity, PrimaryColumn } from 'typeorm'
import { asciiId, timestamp } from '../../../infrastructure/database/columns.js'

/**
 * How an offer of a call to an agent ended. `answered_elsewhere`: another agent took the call; `busy`, `offline`: no
 * device of the agent rang; `caller_left`: the caller hung up, or the ringing was ended for another reason.
 */
export const offerResults = [
  ...(['answered', 'answered_elsewhere', 'rejected', 'no_answer'] as const),
  ...(['caller_left', 'busy', 'offline', 'failed'] as const),
] as const
export type OfferResult = (typeof offerResults)[number]

/** An offer of a call to an agent, all of whose devices ring together. */
@Entity('call_offers')
export class CallOffer {
  /** `off_…` */
  @PrimaryColumn(asciiId) id!: string
  @Column(asciiId) call_id!: string
  @Column(asciiId) workspace_id!: string
  @Column(asciiId) agent_id!: string
  /** The team whose members were rung; null if the call was for the agent alone. */
  @Column({ ...asciiId, nullable: true } as never) team_id!: string | null
  @Column(timestamp) began_at!: Date
  @Column({ ...timestamp, nullable: true }) ended_at!: Date | null
  @Column({ ...asciiId, nullable: true } as never) result!: OfferResult | null
}
