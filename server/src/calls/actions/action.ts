/** What an action is, and what it may do with its call. */
import type { CallbackServer } from '../../callbacks/callback-client.js'
import type { Static, TSchema } from 'typebox'
import type { Owner } from '../../database/workspace-table.js'
import type { GuardedClient } from '../../http-client/guarded-client.js'
import type { FieldProblem } from '../../http/errors.js'
import type { PhoneNumber } from '../../phone-numbers/phone-number.entity.js'
import type { Channel } from '../../switch/channel.js'
import type { CallEventName } from '../call-event.entity.js'
import type { CallRecorder } from '../call-recorder.js'
import type { CallMedia } from '../call-media.js'
import type { CallRouting, Route } from '../call-routing.js'
import type { Call } from '../call.entity.js'
import type { CallAction, ScriptStep } from '../call.schema.js'
import type { Answered } from '../machines/answer-detector.js'
import type { MachineDetection } from '../machines/machine-detection.js'
import type { CollectOptions, Collected } from '../collect.js'
import type { NoWay } from '../no-way.js'
import type { Outcome } from '../program.js'
import type { TeamMembers } from '../team-members.js'
import type { TeamQueues } from '../queue/team-queues.js'
import type { Reach } from '../reach.js'
import type { VoiceAgentWays } from '../voice-agent-ways.js'
import type { CallStreams } from '../streams/call-streams.js'
import type { StreamSettings } from '../streams/stream-settings.js'

/** What is needed to check an action before it is accepted. */
export interface ActionServices {
  readonly media: CallMedia
  readonly routing: CallRouting
  readonly members: TeamMembers
  readonly queues: TeamQueues
  readonly recorder: CallRecorder
  readonly voiceAgents: VoiceAgentWays
  readonly streams: CallStreams
  readonly machines: Pick<MachineDetection, 'whoAnswers'>
  /** The client that asks customers' servers. */
  readonly client: Pick<GuardedClient, 'brokenRule'>
}

/** How connecting the call with somebody ended. */
export type ConnectOutcome = 'completed' | 'busy' | 'no_answer' | 'failed' | 'offline'

/** Why a further leg of a call does not begin: without credit, or as too many calls begin in this second. */
export type LegRefusal = 'no_credit' | 'failed'

export interface ConnectOptions {
  /** Seconds. */
  ringTimeout: number
  /** File that the caller hears meanwhile; null for a ringback tone. */
  ringback: string | null
  /** Shown at the far end, in place of the name of the call's caller. */
  callerName?: string
}

/** The running call, as an action sees it. Every method ends early when the call or the script ends. */
export interface ActionContext extends ActionServices {
  readonly call: Readonly<Call>
  readonly workspace: Owner
  /** The channel that the program runs on. */
  readonly line: Channel
  /** Aborted when other actions take the place of these. */
  readonly signal: AbortSignal
  /** Nothing comes behind this action: the call ends with it. */
  readonly isLast: boolean
  /** The workspace's number of the call: it goes out with it, or came in on it; null when it is gone. */
  phoneNumber(): Promise<PhoneNumber | null>
  /**
   * Opens the way for sound, where there is none yet: answers the caller, or with `false` opens early media.
   * @param answer undefined for what the action's `auto_answer` says, which is true by default
   */
  open(answer?: boolean): Promise<void>
  /** Plays a file to its end. */
  play(file: string): Promise<void>
  playInBackground(file: string): Promise<void>
  /** Collects keys that the caller presses. */
  collect(options: CollectOptions): Promise<Collected>
  /** Sends the line silence meanwhile. @throws {ChannelEndedError | SwitchDownError} */
  inSilence<T>(work: () => Promise<T>): Promise<T>
  /** Tells who has answered: the timeline, and webhooks that asked for it. */
  tellAnswered(answered: Answered): Promise<void>
  /** Puts these in the place of all that the call has left, unless others have been put there meanwhile. */
  replaceActions(actions: ScriptStep[]): Promise<void>
  /** Rings somebody and joins them with the call until one of them leaves. The caller is answered by their answer. */
  connect(route: Route, options: ConnectOptions): Promise<ConnectOutcome>
  /**
   * Tells what was pressed: the timeline, webhooks that asked for it, and the customer's server. Returns when that
   * has answered, some seconds later at most; actions in its answer take the place of all that the call has left.
   */
  tellKeys(keys: Collected, server: CallbackServer | null): Promise<void>
  /** As {@link connect}, with whomever `reach` brings. */
  join<O extends Outcome>(reach: Reach<O>): Promise<O | ConnectOutcome>
  /** Begins a stream in the background. @returns false when the call has too many */
  stream(settings: StreamSettings): Promise<boolean>
  hangUp(cause: string): Promise<never>
  /**
   * Asked once before each further leg of this call: holds credit for a moment of it and, where it costs something and is
   * no voice agent's, counts it among the calls that begin in this second.
   * @returns null when it may begin
   */
  mayBegin(route: Route): Promise<LegRefusal | null>
  /** Adds to the timeline. */
  note(event: CallEventName, details: object): void
  /** Has the timeline say why the step failed. */
  fail(why: NoWay): 'failed'
}

/** Checks actions in the parameters of another one. @param field where they stand, relative to the parameters */
export type NestedCheck = (script: readonly CallAction[], field: string) => Promise<FieldProblem[]>

/** One action: its name, its parameters, and what it does. */
export interface Action<P extends TSchema = TSchema> {
  readonly name: string
  /** What it does, in half a sentence. */
  readonly summary: string
  readonly params: P
  /** Parameters that scripts of the API must have on outbound calls. */
  readonly requiredOutbound?: readonly string[]
  /** Rules that a schema cannot express; fields are relative to the parameters. */
  check?(
    workspace: Owner,
    params: Static<P>,
    services: ActionServices,
    scriptProblems: NestedCheck,
  ): Promise<FieldProblem[]>
  /** What the timeline shows of it besides its outcome. */
  describe?(params: Static<P>): object
  run(context: ActionContext, params: Static<P>): Promise<Outcome>
}

/** Declares an action; its parameters have been validated when it runs. */
export function action<P extends TSchema>(definition: Action<P>): Action<P> {
  return definition
}

/** A problem with one parameter. */
export function problem(field: string, message: string): FieldProblem {
  return { field, messages: [`${field} ${message}`] }
}
