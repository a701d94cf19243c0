import { Column, Entity, PrimaryColumn, PrimaryGeneratedColumn } from 'typeorm'
import { asciiId, timestamp } from '../../infrastructure/database/columns.js'

export type TriggerType = 'inbound' | 'outbound'

/** A step of a flow. */
export interface FlowNode {
  /** Unique in its flow. */
  id: string
  type: string
  params: Record<string, unknown>
  /** The node that each outcome leads to, by its id. */
  next: Record<string, string>
  /** Its place in the editor. */
  position?: NodePosition
}

/** Points from the drawing's origin, to the right and down. */
export interface NodePosition {
  x: number
  y: number
}

/** Handles calls, as a graph of nodes. */
@Entity('call_flows')
export class CallFlow {
  /** `cf_…` */
  @PrimaryColumn(asciiId) id!: string
  @Column(asciiId) workspace_id!: string
  @Column({ type: 'varchar', length: 36 }) title!: string
  @Column(asciiId) trigger_type!: TriggerType
  @Column({ type: 'json' }) nodes!: FlowNode[]
  /** The code that phones of the workspace dial to reach it, such as `*98` or `0`; unique there. */
  @Column({ type: 'varchar', length: 6, charset: 'ascii', collation: 'ascii_bin', nullable: true })
  dial_code!: string | null
  @Column(timestamp) created_at!: Date
  @Column(timestamp) updated_at!: Date
}

/** Where a flow is used, and whether there is a draft of it. */
export interface FlowUse {
  phone_numbers: readonly { id: string; number: string; title: string }[]
  has_draft: boolean
}

/** A flow, and the number of the version that its nodes are. */
export type NumberedFlow = CallFlow & FlowUse & { version: number }

const nullableId = { ...asciiId, nullable: true } as never

/** Something that a flow names; one of the columns is set. Its keys hold what is named in place. */
@Entity('call_flow_references')
export class CallFlowReference {
  @PrimaryGeneratedColumn({ type: 'bigint', unsigned: true }) id?: string
  @Column(asciiId) workspace_id!: string
  @Column(asciiId) call_flow_id!: string
  @Column(nullableId) audio_id?: string | null
  @Column(nullableId) team_id?: string | null
  @Column(nullableId) agent_id?: string | null
  @Column(nullableId) voice_agent_id?: string | null
  @Column(nullableId) outbound_gateway_id?: string | null
  @Column(nullableId) phone_number_id?: string | null
  @Column(nullableId) extension_id?: string | null
}
