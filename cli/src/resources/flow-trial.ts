/** Input of a trial call. */
import { number, text, texts, textual } from '../lib/fields.js'
import { parsed } from '../lib/file-fields.js'
import { pairOf } from '../lib/texts.js'

export const trialFields = {
  caller: text('caller_number', 'who calls: a number in E.164, or anonymous'),
  called: text('called_number', 'number that is called, in E.164'),
  time: text('time', 'when the call is, as 2026-12-25T10:00:00+01:00 [default: now]'),
  keys: textual(
    'keys',
    'what the caller presses at each prompt, comma separated; nothing between commas is no key',
    { helpValue: '<list>' },
    (keys) => keys.split(',').map((pressed) => pressed.trim()),
  ),
  contact: textual(
    'contact',
    'what a contact lookup finds, as JSON; null: no contact',
    { helpValue: '<json>' },
    (json) => parsed(json, '--contact'),
  ),
  outcome: texts('outcomes', 'how a node ends, <node>=<outcome>', (values) =>
    Object.fromEntries(values.map((value) => pairOf('--outcome', value, 'node'))),
  ),
  actions: texts('actions', 'what the server of a node answers, <node>=<actions as JSON>', (values) =>
    Object.fromEntries(
      values.map((value) => {
        const [node, json] = pairOf('--actions', value, 'node')
        return [node, parsed(json, '--actions')]
      }),
    ),
  ),
  seed: number('seed', 'takes the branches of a split again that it took before'),
}
