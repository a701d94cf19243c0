/** Nodes that wait for the far end: for keys, or for its first words. */
import Type, { type Static } from 'typebox'
import { ivr } from '../../calls/actions/ivr.js'
import { DetectionParams } from '../../calls/actions/machine-detection.js'
import { AudioId, KeyTimeout, SpokenText, Voice } from '../../calls/actions/shared-params.js'
import { checkOf, node, nodeProblem } from './node-type.js'

export const ivrNode = node({
  type: ivr.name,
  summary: ivr.summary,
  params: ivr.params,
  outcomes: ['completed', 'timeout', 'error'],
  waits: true,
  check: checkOf(ivr),
})

const keys = ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9', '*', '#']

const MenuParams = Type.Object({
  audio_id: Type.Optional({ ...AudioId, description: 'Audio that says the choices' }),
  text: Type.Optional({ ...SpokenText, description: 'Text that says the choices, in place of audio_id' }),
  voice: Voice,
  timeout: KeyTimeout,
  retries: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 10,
      description: 'Times that the choices are repeated; 2 by default',
    }),
  ),
  invalid_audio_id: Type.Optional({ ...AudioId, description: 'Audio after a key without an edge' }),
})
export type MenuParams = Static<typeof MenuParams>

/** Says what there is to choose from, and branches by the key that is pressed. */
export const menuNode = node({
  type: 'menu',
  summary: 'Says the choices and branches by the key that is pressed',
  params: MenuParams,
  outcomes: [...keys, 'invalid', 'timeout'],
  waits: true,
  async check(_workspace, { params, next }, { media }) {
    const problems = []
    if ((params.audio_id === undefined) === (params.text === undefined)) {
      problems.push(nodeProblem('params', 'must have an audio_id or a text, and not both'))
    }
    if (params.voice !== undefined && !(await media.hasVoice(params.voice))) {
      problems.push(nodeProblem('params.voice', 'is not a known voice'))
    }
    if (!keys.some((key) => Object.hasOwn(next, key))) {
      problems.push(nodeProblem('next', 'must have an edge for one key at least'))
    }
    return problems
  },
})

/** Finds out whether a person or a machine has answered, and branches by it. */
export const machineDetectionNode = node({
  type: 'machine_detection',
  summary: 'Branches by whether a person or a machine answered',
  params: DetectionParams,
  outcomes: ['human', 'machine', 'fax', 'unknown'],
})
