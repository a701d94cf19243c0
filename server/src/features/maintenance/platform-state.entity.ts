import { Column, Entity, PrimaryColumn } from 'typeorm'
import { asciiId, timestamp } from '../../infrastructure/database/columns.js'

/** Something that the operator has set at run time. */
@Entity('platform_states')
export class PlatformState {
  /** `drain`, `log_level.<part>`. */
  @PrimaryColumn(asciiId) name!: string
  @Column(asciiId) value!: string
  @Column(timestamp) since!: Date
  /** When it ends by itself; null: when the operator ends it. */
  @Column({ ...timestamp, nullable: true }) until!: Date | null
}
