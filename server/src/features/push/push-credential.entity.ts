import { Column, Entity, PrimaryColumn } from 'typeorm'
import { asciiId, timestamp } from '../../infrastructure/database/columns.js'

const word = (length: number) =>
  ({ type: 'varchar', length, charset: 'ascii', collation: 'ascii_bin', nullable: true }) as const

/** What wakes the app of an API key on one platform: a key of Apple's or Google's push service. */
@Entity('push_credentials')
export class PushCredential {
  /** `pc_…` */
  @PrimaryColumn(asciiId) id!: string
  @Column(asciiId) workspace_id!: string
  @Column({ type: 'varchar', length: 64 }) name!: string
  /** The key whose client tokens it serves; one credential a key and platform. */
  @Column(asciiId) api_key_sid!: string
  @Column(asciiId) platform!: 'ios' | 'android'
  @Column(word(10)) ios_key_id!: string | null
  @Column(word(10)) ios_team_id!: string | null
  @Column(word(155)) ios_bundle_id!: string | null
  @Column(word(10)) ios_environment!: 'sandbox' | 'production' | null
  @Column({ type: 'varchar', length: 128, nullable: true }) android_project_id!: string | null
  @Column({ type: 'varchar', length: 254, nullable: true }) android_client_email!: string | null
  @Column(word(255)) android_package_name!: string | null
  /** SHA-256 of the public half of the key (SubjectPublicKeyInfo), in hexadecimal. */
  @Column({ type: 'varchar', length: 64, charset: 'ascii', collation: 'ascii_bin' }) key_fingerprint!: string
  /** PKCS#8 in PEM, encrypted. */
  @Column({ type: 'text', charset: 'ascii', collation: 'ascii_bin' }) private_key!: string
  /** Why the push service refused it last; null once a push was taken, or when it was changed since. */
  @Column({ type: 'varchar', length: 255, nullable: true }) last_error!: string | null
  @Column({ ...timestamp, nullable: true } as never) last_error_at!: Date | null
  @Column(timestamp) created_at!: Date
  @Column(timestamp) updated_at!: Date
}
