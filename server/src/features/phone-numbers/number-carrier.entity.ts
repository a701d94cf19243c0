import { Column, Entity, PrimaryColumn } from 'typeorm'
import { asciiId } from '../../infrastructure/database/columns.js'

/** The SMS carriers of a number, the first of which is tried first. */
@Entity('number_carriers')
export class NumberCarrier {
  @PrimaryColumn(asciiId) phone_number_id!: string
  @PrimaryColumn(asciiId) carrier_id!: string
  @Column(asciiId) workspace_id!: string
  /** From 0. */
  @Column({ type: 'tinyint', unsigned: true }) position!: number
}
