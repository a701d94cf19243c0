import type { CallDirection } from './call-direction.js'
import { Column, Entity, PrimaryColumn } from 'typeorm'
import { asciiId, flag, money, timestamp, word } from '../../../infrastructure/database/columns.js'
import { type SearchText, textOfParts } from '../../../infrastructure/database/search-text.js'
import type { CallerVerification } from '../../../adapters/stir-shaken/caller-verification.js'
import type { Diversion } from './diversions.js'
import type { ScriptStep } from './call.schema.js'
import type { AbandonedPlace, CallOutcome } from './call-outcome.js'
import type { CallStatus } from './call-state.js'
import type { EndedBy } from './ended-by.js'

/**
 * What decides the next step of a call: its actions, or a version of a flow. `over`: the script has finished, and the
 * call is being hung up.
 */
export type ScriptKind = 'script' | 'flow' | 'over'

/** Numbers and names have 288 characters at most, most of them of one byte. */
const searchBytes = 600

/** A call. */
@Entity('calls')
export class Call {
  static readonly searchText: SearchText<Call> = {
    made: ['from_number', 'to_number', 'from_name', 'to_name'],
    columns: ['whole.from_number', 'whole.to_number', 'whole.from_name', 'whole.to_name'],
    of: ({ from_number, to_number, from_name, to_name }) =>
      textOfParts([from_number, to_number, from_name, to_name], searchBytes),
  }

  /** `call_…` */
  @PrimaryColumn(asciiId) id!: string
  @Column(asciiId) workspace_id!: string
  @Column(asciiId) direction!: CallDirection
  /** The cell that drives the call: see `Cell`. */
  @Column(asciiId) cell!: string
  /** Written by `call-state.ts` alone. */
  @Column(asciiId) readonly status!: CallStatus
  @Column({ type: 'varchar', length: 64 }) from_number!: string
  @Column({ type: 'varchar', length: 64 }) from_name!: string
  @Column({ type: 'varchar', length: 80 }) to_number!: string
  @Column({ type: 'varchar', length: 80 }) to_name!: string
  /** The number that the call is made from. */
  @Column({ ...asciiId, nullable: true } as never) phone_number_id!: string | null
  /** The SIP account whose phone made the call. */
  @Column({ ...asciiId, nullable: true } as never) sip_account_id!: string | null
  /** The agent whose softphone or app made the call. */
  @Column({ ...asciiId, nullable: true } as never) agent_id!: string | null
  /** The user of a customer's app who made the call: `sub` of their JWT. */
  @Column({ type: 'varchar', length: 64, charset: 'ascii', collation: 'ascii_bin', nullable: true })
  client_sub!: string | null
  /** True if the app that made the call wants video. */
  @Column(flag) is_video!: boolean
  /** Seconds from answer to forced hang-up. */
  @Column({ type: 'int', unsigned: true }) max_duration!: number
  /**
   * The script leg: the caller's on an inbound call, else the called party's. Null if the switch bridges both ends by
   * itself: such a call has no script.
   */
  @Column({ ...asciiId, nullable: true } as never) line!: 'caller' | 'called' | null
  @Column(asciiId) program!: ScriptKind
  @Column({ ...asciiId, nullable: true } as never) call_flow_id!: string | null
  /** The version of the flow that the call runs or ran. */
  @Column({ type: 'bigint', unsigned: true, nullable: true }) call_flow_version_id!: string | null
  /** The actions of the script, or those that run in place of a node of the flow. */
  @Column({ type: 'json' }) script!: ScriptStep[]
  /** The node of the flow in place of which `script` runs. */
  @Column({ type: 'varchar', length: 64, charset: 'ascii', collation: 'ascii_bin', nullable: true })
  script_node!: string | null
  /** Actions that run when the script has finished. */
  @Column({ type: 'json', nullable: true }) pending_script!: ScriptStep[] | null
  /** Incremented when the script is replaced. */
  @Column({ type: 'int', unsigned: true }) script_revision!: number
  /** 1 until the end, then null: the index of live calls stays small. */
  @Column({ type: 'tinyint', nullable: true }) live!: 1 | null
  @Column(timestamp) created_at!: Date
  @Column({ ...timestamp, nullable: true }) answered_at!: Date | null
  @Column({ ...timestamp, nullable: true }) ended_at!: Date | null
  /** Seconds from answer to end, rounded up. */
  @Column({ type: 'int', unsigned: true }) duration!: number
  /** USD, of all legs. */
  @Column(money) cost!: number
  /** USD held for the call while it lives: see `CreditHolds`. */
  @Column(money) credit_held!: number
  @Column({ type: 'varchar', length: 64, charset: 'ascii', collation: 'ascii_bin', nullable: true })
  hangup_cause!: string | null
  @Column({ type: 'smallint', unsigned: true, nullable: true }) sip_code!: number | null
  /** This and the following: see `call-outcome.ts`; null while the call lives. */
  @Column({ ...word, nullable: true }) outcome!: CallOutcome | null
  @Column({ ...word, nullable: true }) abandoned_in!: AbandonedPlace | null
  /** Who left first. */
  @Column({ ...word, nullable: true }) ended_by!: EndedBy | null
  /** The leg that took the call first. */
  @Column({ ...asciiId, nullable: true } as never) answered_leg_id!: string | null
  /** The team that the call was last to reach, also while it lives. */
  @Column({ ...asciiId, nullable: true } as never) team_id!: string | null
  /** Seconds in queues. */
  @Column({ type: 'int', unsigned: true, nullable: true }) wait_seconds!: number | null
  /** Seconds in which people were rung. */
  @Column({ type: 'int', unsigned: true, nullable: true }) ring_seconds!: number | null
  /** Seconds of talk with people, without those on hold. */
  @Column({ type: 'int', unsigned: true, nullable: true }) talk_seconds!: number | null
  @Column({ type: 'int', unsigned: true, nullable: true }) hold_seconds!: number | null
  /** Milliseconds on hold so far. */
  @Column({ type: 'int', unsigned: true }) hold_ms!: number
  /** Since when it is held; null while it is not. */
  @Column({ ...timestamp, nullable: true }) held_at!: Date | null
  /**
   * Who forwarded the call before it came in, latest first; null for outbound calls and calls that were not forwarded.
   */
  @Column({ type: 'json', nullable: true }) diversions!: Diversion[] | null
  /** Result of caller verification (STIR/SHAKEN); null for outbound calls, and where calls are not verified. */
  @Column({ type: 'json', nullable: true }) caller_verification!: CallerVerification | null
  @Column({ type: 'varbinary', length: searchBytes, nullable: true, select: false })
  readonly search_text?: Buffer | null
}
