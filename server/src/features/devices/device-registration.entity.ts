import { Column, Entity, PrimaryColumn } from 'typeorm'
import { asciiId, timestamp } from '../../infrastructure/database/columns.js'

const word = (length: number) =>
  ({ type: 'varchar', length, charset: 'ascii', collation: 'ascii_bin', nullable: true }) as const
const reported = { type: 'varchar', length: 64, nullable: true } as const

/** An app on a device that can be woken by push: of an agent, or of a user of a customer's app. */
@Entity('device_registrations')
export class DeviceRegistration {
  /** `dev_…` */
  @PrimaryColumn(asciiId) id!: string
  @Column(asciiId) workspace_id!: string
  /** Whose device it is: one of both is set. */
  @Column({ ...asciiId, nullable: true } as never) agent_id!: string | null
  /** `sub` of the client JWT. */
  @Column(word(64)) client_sub!: string | null
  /** The app's name for the device; unique for its person. */
  @Column({ type: 'varchar', length: 128, charset: 'ascii', collation: 'ascii_bin' }) device_id!: string
  @Column(asciiId) platform!: 'ios' | 'android'
  /** `iss` of the client JWT; of agents the key that they name, or null. */
  @Column({ ...asciiId, nullable: true } as never) api_key_sid!: string | null
  /** Rings the app. */
  @Column(word(1024)) voip_token!: string | null
  /** Push token for notices that a call has stopped ringing. */
  @Column(word(1024)) notification_token!: string | null
  @Column(word(8)) notification_provider!: 'apns' | 'fcm' | null
  @Column(reported) os_version!: string | null
  @Column(reported) app_version!: string | null
  @Column(reported) device_model!: string | null
  @Column(timestamp) created_at!: Date
  /** When a token of it was registered last. */
  @Column(timestamp) updated_at!: Date
}
