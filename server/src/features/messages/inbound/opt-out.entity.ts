import { Column, Entity, PrimaryColumn } from 'typeorm'
import { asciiId, digits, timestamp } from '../../../infrastructure/database/columns.js'

/** The opt-out of a client from one of our numbers. */
@Entity('opt_outs')
export class OptOut {
  @PrimaryColumn(asciiId) phone_number_id!: string
  @PrimaryColumn(digits as never) client_number!: string
  @Column(asciiId) workspace_id!: string
  @Column(timestamp) created_at!: Date
}
