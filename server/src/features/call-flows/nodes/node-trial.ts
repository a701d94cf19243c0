/** What a node sees of the simulation that it runs in. */
import type { TSchema } from 'typebox'
import type { readActions } from '../../callbacks/answered-actions.js'
import type { ActionServices } from '../../calls/script/actions/action.js'
import type { ContactService } from '../../contacts/contact.service.js'
import type { Owner } from '../../../infrastructure/database/workspace-table.js'
import type { ExtensionService } from '../../extensions/extension.service.js'
import type { FlowState } from '../flow-state.js'
import type { PressedKeys } from '../simulate/pressed-keys.js'
import type { SimulateCallFlow } from '../simulate/simulate.schema.js'

export interface NodeTrial {
  readonly workspace: Owner
  readonly services: {
    readonly actions: ActionServices
    readonly contacts: ContactService
    readonly extensions: ExtensionService
  }
  readonly request: SimulateCallFlow
  readonly keys: PressedKeys
  readonly state: FlowState
  readonly caller: TrialStep
  /** Names of the objects in parameters, by their place there: `{names: {audio_id: 'Welcome'}}`, or nothing. */
  namesIn(schema: TSchema, params: unknown): Promise<{ names?: Record<string, string> }>
  /** The given answer of the server that a node asks, read as on a call. */
  answerAt(node: string): ReturnType<typeof readActions>
}

/** The simulated caller, as an action passes. */
interface TrialStep {
  /** Something was done for the caller, and ended so. */
  pass(done: SimulatedStep, outcome: string): void
  /** The hangup cause when the flow ends. */
  readonly causeAtEnd: string
}

/** A step for a caller: a node, or an action of a script, which has the name of its node. */
export interface SimulatedStep {
  type: string
  params: Readonly<Record<string, unknown>>
  autoAnswer?: boolean | undefined
}
