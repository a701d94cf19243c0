import { choice, list, number, optionalText, pairs, text, yesNo } from '../lib/fields.js'
import { jsonFile, longText } from '../lib/file-fields.js'

export const version = number('version', 'version that is meant', { ask: 'Version' })

/** What a version of a voice agent says and does. */
export const settingsFields = {
  version,
  greeting: text('greeting_message', 'what it says first'),
  instructions: longText('instructions', 'what the model is told'),
  model: text('model_id', 'one of `voice-agent models`', { helpValue: '<id>' }),
  voice: optionalText('voice_id', 'one of `voice-agent voices`', { helpValue: '<id>' }),
  temperature: number('temperature', 'how freely it speaks, 0 to 2'),
  'noise-reduction': yesNo('enable_noise_reduction', 'whether noise is taken out'),
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
