import {
  choice,
  list,
  number,
  optionalChoice,
  optionalNumber,
  optionalText,
  pairs,
  text,
  yesNo,
} from '../lib/fields.js'
import { jsonFile, longText } from '../lib/file-fields.js'

export const version = number('version', 'version that is meant', { ask: 'Version' })

/** Settings of a voice agent's version. */
export const settingsFields = {
  version,
  greeting: text('greeting_message', 'what it says first'),
  instructions: longText('instructions', 'system prompt of the model'),
  model: text('model_id', 'one of `voice-agent models`', { helpValue: '<id>' }),
  voice: optionalText('voice_id', 'one of `voice-agent voices`', { helpValue: '<id>' }),
  temperature: number('temperature', 'how freely it speaks, 0 to 2'),
  'noise-reduction': yesNo('enable_noise_reduction', 'whether noise is taken out'),
  'turn-detection': optionalChoice(
    'turn_detection',
    'what ends a caller’s turn: silence (server_vad), or a finished sentence (semantic_vad); none: as the provider does it',
    ['server_vad', 'semantic_vad'],
  ),
  'turn-eagerness': optionalChoice(
    'turn_eagerness',
    'with semantic_vad: how soon an unfinished sentence is answered',
    ['low', 'medium', 'high', 'auto'],
  ),
  'turn-threshold': optionalNumber(
    'turn_threshold',
    'how sure it must be that somebody speaks, 0 to 1',
    'the usual 0.5',
  ),
  'turn-silence': optionalNumber(
    'turn_silence_ms',
    'milliseconds of silence after which a turn may be over, 200 to 5000',
    'the usual 600 of a chain, or 500',
  ),
  interruption: optionalNumber(
    'interruption_ms',
    'milliseconds of speech that stop it while it talks (a chain only), 0 to 5000',
    'the usual 500',
  ),
  'ignore-backchannels': yesNo(
    'ignore_backchannels',
    'whether words such as “uh huh” do not stop it (a chain only)',
  ),
  language: optionalText('language', 'what it and its callers speak, such as de or pt-BR', {
    helpValue: '<tag>',
  }),
  dtmf: yesNo('enable_dtmf', 'whether the agent gets the keys that the caller presses'),
  'tool-delay-message': optionalText(
    'tool_delay_message',
    'what it says while a tool takes long; "" says nothing',
  ),
  'max-duration': number('max_call_duration_seconds', 'seconds that a call may last', {
    helpValue: '<seconds>',
  }),
  tools: list('functions', 'tools that it may use', { helpValue: '<vat_…,vat_…>' }),
}

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

export const toolFields = {
  name: text('name', 'lowercase letters, digits and underscores', { ask: 'Name' }),
  description: text('description', 'tells the model when to use it', { ask: 'Description' }),
  url: text('webhook_url', 'address that is called', { ask: 'Address', helpValue: '<https://…>' }),
  method: choice('webhook_method', 'HTTP method of the call', methods),
  header: pairs('webhook_headers', 'header of the call'),
  parameters: jsonFile('parameters', 'what the model fills in: a JSON object, a parameter a name'),
  required: list('required_params', 'parameters that it must fill in'),
  active: yesNo('is_active', 'whether it may be used'),
}
