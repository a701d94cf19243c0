import { Column, Entity, PrimaryColumn } from 'typeorm'
import { asciiId, flag, timestamp } from '../../infrastructure/database/columns.js'

export type ParameterType = 'string' | 'number' | 'integer' | 'boolean' | 'array' | 'object'

/** What a model has to fill in when it calls a tool. */
export interface ToolParameter {
  type: ParameterType
  description: string
  /** The only values; of strings. */
  enum?: string[]
  required: boolean
}

/** Something that a voice agent can do: built in, or a request to the customer's server. */
@Entity('voice_agent_tools')
export class VoiceAgentTool {
  /** `vat_…` */
  @PrimaryColumn(asciiId) id!: string
  @Column(asciiId) workspace_id!: string
  @Column(asciiId) voice_agent_id!: string
  /** Unique in the voice agent. */
  @Column({ type: 'varchar', length: 64, charset: 'ascii', collation: 'ascii_bin' }) name!: string
  @Column({ type: 'varchar', length: 1000 }) description!: string
  @Column(asciiId) tool_type!: 'builtin' | 'custom'
  /** Null for what is built in. */
  @Column({ type: 'varchar', length: 2048, nullable: true }) webhook_url!: string | null
  @Column(asciiId) webhook_method!: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** A JSON object of texts, encrypted: headers carry credentials. Null without any. */
  @Column({ type: 'mediumtext', charset: 'ascii', collation: 'ascii_bin', nullable: true })
  webhook_headers!: string | null
  @Column({ type: 'json' }) parameters!: Record<string, ToolParameter>
  /** The parameters whose `required` is true. */
  @Column({ type: 'json' }) required_params!: string[]
  @Column(flag) is_active!: boolean
  @Column(timestamp) created_at!: Date
  @Column(timestamp) updated_at!: Date
}
