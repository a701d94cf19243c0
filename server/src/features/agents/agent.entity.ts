import { Column, Entity, PrimaryColumn } from 'typeorm'
import { asciiId, flag, timestamp } from '../../infrastructure/database/columns.js'
import type { AgentRole } from '../../infrastructure/http/endpoint.js'

const word = (length: number) =>
  ({ type: 'varchar', length, charset: 'ascii', collation: 'ascii_bin', nullable: true }) as const
const hex = (length: number) => ({ ...word(length), type: 'char' }) as const

/** A person who takes calls and messages of a workspace. */
@Entity('agents')
export class Agent {
  /** `ag_…` */
  @PrimaryColumn(asciiId) id!: string
  @Column(asciiId) workspace_id!: string
  /** Unique in the workspace. */
  @Column({ type: 'varchar', length: 30, charset: 'ascii', collation: 'ascii_bin' }) username!: string
  @Column({ type: 'varchar', length: 50 }) display_name!: string
  /** As it was given; unique in the workspace whatever its case. */
  @Column({ type: 'varchar', length: 254, nullable: true }) email!: string | null
  /** Address of a picture that lies elsewhere; null while `avatar_file` is set. */
  @Column({ type: 'varchar', length: 2048, nullable: true }) avatar!: string | null
  /** Name of an uploaded picture in the media directory. */
  @Column({ ...asciiId, nullable: true } as never) avatar_file!: string | null
  /** Bytes of `avatar_file`; 0 without one. */
  @Column({ type: 'int', unsigned: true, default: 0 }) avatar_bytes!: number
  @Column(asciiId) role!: AgentRole
  /** May do in the workspace what an API key of its owner may. */
  @Column(flag) is_admin!: boolean
  @Column(flag) is_active!: boolean
  /** Whether voicemails for the agent and its teams are sent to its e-mail. */
  @Column(flag) voicemail_by_email!: boolean
  @Column({ type: 'char', length: 2, charset: 'ascii', collation: 'ascii_bin' }) country_code!: string
  /** argon2id, with its salt and cost. */
  @Column({ type: 'varchar', length: 255, charset: 'ascii', collation: 'ascii_bin' }) password_hash!: string
  /** Where its softphones register; null until a password is set. */
  @Column(word(190)) domain!: string | null
  /**
   * The realm of its digests: the domain of SIP accounts, where its softphones register, too, as long as no SIP account has
   * the username.
   */
  @Column(word(190)) realm!: string | null
  /**
   * Digests of the password, as SIP accounts have them; `ha1b` is of `user@realm`. Null when none can be made: of agents that were there before
   * the digests, and after a change of the username, which they hold, until the password is set again.
   */
  @Column(hex(32)) ha1!: string | null
  @Column(hex(32)) ha1b!: string | null
  @Column(hex(64)) ha1_sha256!: string | null
  @Column(hex(64)) ha1b_sha256!: string | null
  /** The same for phones that answer as `user@domain`; null until a password is set in a version that knows them. */
  @Column(hex(32)) address_ha1b!: string | null
  @Column(hex(64)) address_ha1b_sha256!: string | null
  @Column(timestamp) created_at!: Date
  @Column(timestamp) updated_at!: Date
}
