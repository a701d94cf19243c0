/** What an action is, and what it may do with its call. */
import type { DialContext } from '../../dialling/dial-context.js'
import type { Outcome } from '../../model/outcomes.js'
import type { ConnectOutcome } from '../../model/outcomes.js'
import type { Route } from '../../routing/route.js'
import type { CallbackServer } from '../../../../infrastructure/callbacks/callback-client.js'
import type { Static, TSchema } from 'typebox'
import type { Owner } from '../../../../infrastructure/database/workspace-table.js'
import type { GuardedClient } from '../../../../infrastructure/http-client/guarded-client.js'
import type { FieldProblem } from '../../../../infrastructure/http/errors.js'
import type { Channel } from '../../../../adapters/freeswitch/channel.js'
import type { CallEventName } from '../../model/call-event.entity.js'
import type { CallRecorder } from '../../model/call-recorder.js'
import type { CallMedia } from '../../model/call-media.js'
import type { CallRouting } from '../../routing/call-routing.js'
import type { CallAction, ScriptStep } from '../../model/call.schema.js'
import type { Answered } from '../../model/script-results.js'
import type { MachineDetection } from '../machines/machine-detection.js'
import type { Collected } from '../../model/script-results.js'
import type { CollectOptions } from '../collect.js'
import type { WorkspaceNumbers } from '../../../phone-numbers/workspace-numbers.js'
import type { NoRoute } from '../../model/no-route.js'
import type { TeamMembers } from '../../dialling/team-members.js'
import type { TeamQueues } from '../../queue/team-queues.js'
import type { DialStrategy } from '../../dialling/dial-strategy.js'
import type { VoiceAgentRoutes } from '../../routing/voice-agent-routes.js'
import type { CallStreams } from '../../media-streams/call-streams.js'
import type { StreamSettings } from '../../media-streams/stream-settings.js'

/** What is needed to check an action before it is accepted. */
export interface ActionServices {
  readonly media: CallMedia
  readonly routing: CallRouting
  readonly numbers: Pick<WorkspaceNumbers, 'read'>
  readonly members: TeamMembers
  readonly queues: TeamQueues
  readonly recorder: CallRecorder
  readonly voiceAgents: VoiceAgentRoutes
  readonly streams: CallStreams
  readonly machines: Pick<MachineDetection, 'whoAnswers'>
  /** The client that asks customers' servers. */
  readonly client: Pick<GuardedClient, 'brokenRule'>
}

export interface ConnectOptions {
  /** Seconds. */
  ringTimeout: number
  /** File that the caller hears meanwhile; null for a ringback tone. */
  ringback: string | null
  /** Shown at the far end, in place of the name of the call's caller. */
  callerName?: string
}

/** The running call, as an action sees it. Every method ends early when the call or the script ends. */
export interface ActionContext extends ActionServices, Omit<DialContext, keyof ActionServices> {
  /** The channel that the script runs on. */
  readonly line: Channel
  /** Aborted when other actions replace these. */
  readonly signal: AbortSignal
  /** No action follows this one: the call ends with it. */
  readonly isLast: boolean
  /**
   * Lets media flow to the caller, if it does not yet: answers, or with `false` opens early media.
   * @param answer undefined for what the action's `auto_answer` says, which is true by default
   */
  open(answer?: boolean): Promise<void>
  /** Plays a file to its end. */
  play(file: string): Promise<void>
  playInBackground(file: string): Promise<void>
  /** Collects keys that the caller presses. */
  collect(options: CollectOptions): Promise<Collected>
  /** Plays silence meanwhile. @throws {ChannelEndedError | SwitchDownError} */
  inSilence<T>(work: () => Promise<T>): Promise<T>
  /** Reports who has answered, on the timeline and to webhooks that subscribe to it. */
  reportAnswered(answered: Answered): Promise<void>
  /** Replaces all remaining actions of the call, unless others have replaced them meanwhile. */
  replaceActions(actions: ScriptStep[]): Promise<void>
  /**
   * Dials a route and bridges it with the call until either side hangs up. The answer of the destination answers the
   * caller.
   */
  connect(route: Route, options: ConnectOptions): Promise<ConnectOutcome>
  /**
   * Reports the pressed keys on the timeline, to webhooks that subscribe to them, and to the customer's server.
   * Returns when that has answered, some seconds later at most; actions in its answer replace all remaining actions
   * of the call.
   */
  reportKeys(keys: Collected, server: CallbackServer | null): Promise<void>
  /** As {@link connect}, with the leg that `strategy` returns. */
  join<O extends Outcome>(strategy: DialStrategy<O>): Promise<O | ConnectOutcome>
  /** Begins a stream in the background. @returns false when the call has too many */
  stream(settings: StreamSettings): Promise<boolean>
  hangUp(cause: string): Promise<never>
  /** Adds to the timeline. */
  note(event: CallEventName, details: object): void
  /** Adds to the timeline why the step failed. */
  fail(why: NoRoute): 'failed'
}

/** Checks actions in the parameters of another one. @param field their path, relative to the parameters */
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
