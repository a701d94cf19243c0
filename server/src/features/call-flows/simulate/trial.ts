/** One simulation of a flow: what its nodes learn about a call that does not exist. */
import type { TSchema } from 'typebox'
import type { ContactService } from '../../contacts/contact.service.js'
import { readActions } from '../../callbacks/answered-actions.js'
import type { ActionServices } from '../../calls/script/actions/action.js'
import type { Owner } from '../../../infrastructure/database/workspace-table.js'
import type { ExtensionService } from '../../extensions/extension.service.js'
import type { WorkspaceNumbers } from '../../phone-numbers/workspace-numbers.js'
import type { FlowState } from '../flow-state.js'
import type { Circumstances } from '../nodes/flow-node.js'
import { referencesIn } from '../references.js'
import type { NodeTrial } from '../nodes/node-trial.js'
import type { TrialCaller } from './caller.js'
import type { FlowNames } from './names.js'
import type { PressedKeys } from './pressed-keys.js'
import type { SimulateCallFlow } from './simulate.schema.js'

/** Services for simulations, which only read. */
export interface TrialServices {
  readonly actions: ActionServices
  readonly contacts: ContactService
  readonly extensions: ExtensionService
  readonly numbers: WorkspaceNumbers
  readonly names: FlowNames
}

export class Trial implements NodeTrial {
  private readonly known = new Map<string, Promise<string | null>>()
  private readonly answers = new Map<string, ReturnType<typeof readActions>>()

  constructor(
    readonly workspace: Owner,
    readonly services: TrialServices,
    readonly request: SimulateCallFlow,
    readonly keys: PressedKeys,
    readonly circumstances: Circumstances,
    public state: FlowState,
    readonly caller: TrialCaller,
  ) {}

  /** Names of the objects in parameters, by their place there: `{names: {audio_id: 'Welcome'}}`, or nothing. */
  async namesIn(schema: TSchema, params: unknown): Promise<{ names?: Record<string, string> }> {
    const names: Record<string, string> = {}
    for (const reference of referencesIn(schema, params, '')) {
      const { kind, value, field } = reference
      const key = `${kind} ${value}`
      const name = this.known.get(key) ?? this.services.names.nameOf(this.workspace, reference)
      this.known.set(key, name)
      const found = await name
      if (found !== null) names[field.slice(1)] = found
    }
    return Object.keys(names).length > 0 ? { names } : {}
  }

  /** The given answer of the server that a node asks, read as on a call. */
  answerAt(node: string): ReturnType<typeof readActions> {
    const { actions: given = {} } = this.request
    const actions = Object.hasOwn(given, node) ? given[node] : []
    const read = this.answers.get(node) ?? readActions({ actions })
    this.answers.set(node, read)
    return read
  }
}
