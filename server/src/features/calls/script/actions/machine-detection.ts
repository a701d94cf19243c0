import Type, { type Static } from 'typebox'
import type { Answered } from '../../model/script-results.js'
import { CallAction, maxActions } from '../../model/call.schema.js'
import { type ActionContext, action, problem } from './action.js'

const defaultSeconds = 30
const name = 'machine_detection'

const detection = {
  mode: Type.Optional(
    Type.Enum(['detect', 'message_end'], {
      description:
        '`detect` (default) continues as soon as it is known who answered; `message_end` waits until a machine’s greeting is over',
      'x-field': { default: 'detect' },
    }),
  ),
  timeout: Type.Optional(
    Type.Integer({
      minimum: 3,
      maximum: 59,
      description: 'Seconds until the answer is unknown; 30 by default',
      'x-field': { default: defaultSeconds },
    }),
  ),
}

export const DetectionParams = Type.Object(detection)
export type DetectionParams = Static<typeof DetectionParams>

/**
 * Answers, listens in silence until it is known who has answered, and adds the event to the timeline.
 * @returns null where the call ended or its script was replaced meanwhile
 */
export async function detectAnswerer(
  context: ActionContext,
  { mode = 'detect', timeout: seconds = defaultSeconds }: DetectionParams,
): Promise<Answered | null> {
  await context.open()
  const { call, line, signal, machines } = context
  const toEnd = mode === 'message_end'
  const answered = await context.inSilence(async () =>
    machines.whoAnswers({ call, line, toEnd, seconds, signal }),
  )
  if (signal.aborted) return null
  await context.reportAnswered(answered)
  return answered
}

/** Finds out whether a person or a machine has answered, before the next action begins. */
export const machineDetection = action({
  name,
  summary: 'Finds out whether a person or a machine answered',
  params: Type.Object({
    ...detection,
    machine_actions: Type.Optional(
      Type.Array(CallAction, {
        maxItems: maxActions,
        description:
          'Replace all remaining actions of the call when a machine or a fax has answered; an empty list hangs up',
      }),
    ),
  }),
  async check(_workspace, { machine_actions = [] }, _services, scriptProblems) {
    const again = machine_actions.findIndex(({ action: nested }) => nested === name)
    if (again >= 0) return [problem(`machine_actions.${again}.action`, `must not be ${name}`)]
    return scriptProblems(machine_actions, 'machine_actions')
  },
  async run(context, { machine_actions, ...params }) {
    const answered = await detectAnswerer(context, params)
    const isMachine = answered?.answered_by === 'machine' || answered?.answered_by === 'fax'
    if (isMachine && machine_actions) await context.replaceActions(machine_actions)
    return 'completed'
  },
})
