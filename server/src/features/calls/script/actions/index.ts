/** All actions, and the check that every list of them passes before it is accepted. */
import type { Owner } from '../../../../infrastructure/database/workspace-table.js'
import { type FieldProblem, ValidationError } from '../../../../infrastructure/http/errors.js'
import { bodyValidator, validateAt } from '../../../../infrastructure/http/validation.js'
import type { CallAction } from '../../model/call.schema.js'
import type { Action, ActionServices } from './action.js'
import { connectAgent } from './connect-agent.js'
import { connectClient } from './connect-client.js'
import { connectTeam } from './connect-team.js'
import { connectVoiceAgent } from './connect-voice-agent.js'
import { disconnect, hangup } from './hangup.js'
import { ivr } from './ivr.js'
import { machineDetection } from './machine-detection.js'
import { play } from './play.js'
import { recording } from './recording.js'
import { stream } from './stream.js'
import { toOperator } from './to-operator.js'
import { tts } from './tts.js'
import { voicemail } from './voicemail.js'

export const allActions: readonly Action[] = [
  ...[play, tts, ivr, recording, voicemail, toOperator, disconnect, hangup, connectAgent, connectTeam],
  ...[connectClient, connectVoiceAgent, stream, machineDetection],
]
const actions = new Map(
  allActions.map((one) => [one.name, { action: one, validate: bodyValidator(one.params) }]),
)

/** The action of a name that has passed {@link checkActions}. */
export function findAction(name: string): Action | undefined {
  return actions.get(name)?.action
}

/** What is wrong with the parameters of an action by themselves, as `actions.0.params.text`. */
export function paramProblems({ action: name, params = {} }: CallAction, here: string): FieldProblem[] {
  const known = actions.get(name)
  if (known) return validateAt(known.validate, params, `${here}.params`)
  const field = `${here}.action`
  return [{ field, messages: [`${field} must be one of ${[...actions.keys()].join(', ')}`] }]
}

/** Where a script comes from. */
interface ScriptOrigin {
  /** Its path in the request [actions]. */
  field?: string
  /** It was given to the API for an outbound call. */
  forOutbound?: boolean
}

/**
 * Checks a script.
 * @throws {ValidationError} naming every parameter that is wrong, as `actions.0.params.audio_id`
 */
export async function checkActions(
  workspace: Owner,
  script: readonly CallAction[],
  services: ActionServices,
  origin: ScriptOrigin = {},
): Promise<void> {
  const problems = await scriptProblems(workspace, script, services, origin)
  if (problems.length > 0) throw new ValidationError(problems)
}

/** Every parameter of a script that is wrong. */
export async function scriptProblems(
  workspace: Owner,
  script: readonly CallAction[],
  services: ActionServices,
  { field = 'actions', forOutbound = false }: ScriptOrigin = {},
): Promise<FieldProblem[]> {
  const problems: FieldProblem[] = []
  for (const [index, step] of script.entries()) {
    const { action: name, params = {} } = step
    const here = `${field}.${index}`
    const found = paramProblems(step, here)
    const action = findAction(name)
    const missing = forOutbound ? (action?.requiredOutbound ?? []) : []
    for (const name of missing.filter((one) => params[one] === undefined)) {
      found.push({ field: `${here}.params.${name}`, messages: [`${here}.params.${name} is required`] })
    }
    if (found.length === 0 && action?.check) {
      const broken = await action.check(workspace, params, services, async (nested, nestedField) =>
        scriptProblems(workspace, nested, services, { field: nestedField, forOutbound }),
      )
      found.push(...broken.map((one) => ({ ...one, field: `${here}.params.${one.field}` })))
    }
    problems.push(...found)
  }
  return problems
}
