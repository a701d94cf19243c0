import { Column, Entity, PrimaryColumn } from 'typeorm'
import { asciiId, timestamp, word } from '../../infrastructure/database/columns.js'

export const verificationChannels = ['call', 'text'] as const
export type VerificationChannel = (typeof verificationChannels)[number]

/** The code that was last sent to a number; it is gone when the number is verified. */
@Entity('number_verifications')
export class NumberVerificationCode {
  @PrimaryColumn(asciiId) phone_number_id!: string
  @Column(word) channel!: VerificationChannel
  @Column({ type: 'varbinary', length: 16 }) salt!: Buffer
  /** SHA-256 of salt and code. */
  @Column({ type: 'varbinary', length: 32 }) code_hash!: Buffer
  @Column({ type: 'tinyint', unsigned: true }) attempts_left!: number
  @Column(timestamp) created_at!: Date
  @Column(timestamp) expires_at!: Date
}

/** How many codes were asked for, by a workspace in an hour or for a number in a day (UTC). */
@Entity('number_code_counts')
export class NumberCodeCount {
  /** `workspace:<id>` or `number:<digits>`. */
  @PrimaryColumn({ type: 'varchar', length: 64, charset: 'ascii', collation: 'ascii_bin' }) scope!: string
  @PrimaryColumn({ type: 'datetime', precision: 3 }) period_began!: Date
  @Column({ type: 'int', unsigned: true }) codes!: number
}
