import { type Field, number, optionalText, text, texts, yesNo } from '../lib/fields.js'
import { jsonFile, secret } from '../lib/file-fields.js'

/** `id` or `id=name` → an offer; the name defaults to the id. */
function offersOf(values: readonly string[]): { id: string; name: string }[] {
  return values.map((value) => {
    const [, id = value, name = id] = /^([^=]+)=(.+)$/s.exec(value) ?? []
    return { id, name }
  })
}

const offers = <N extends string>(name: N, what: string, options: { ask?: string } = {}) =>
  texts(name, `${what}: <id>, or <id>=<name>; all together replace what there were`, offersOf, options)

/** Not prompted for if a file has it. */
function unlessIn<N extends string>(file: string, field: Field<N>): Field<N> {
  return {
    ...field,
    read: async (values, flag, lacking) => field.read(values, flag, lacking && values[file] === undefined),
  }
}

const realtime = { helpGroup: 'Realtime' }
const chain = { helpGroup: 'Chain of three servers' }

/** Fields of an AI provider; flags override the settings file. */
export const aiProviderFields = {
  name: text('name', 'what voice agents show as their provider', { ask: 'Name' }),
  'settings-file': jsonFile('settings', 'settings as JSON; those that it does not name stay as they are'),
  'base-url': text('settings.base_url', 'where it is, with the version; without it OpenAI', {
    helpValue: '<wss://…/v1>',
    ...realtime,
  }),
  key: secret('settings.api_key', 'key of the platform'),
  protocol: text('settings.protocol', 'ga, or beta: that of before August 2025', realtime),
  'transcription-model': optionalText(
    'settings.transcription_model',
    'writes down what callers say',
    realtime,
  ),
  'text-model': optionalText('settings.text_model', 'writes instructions and plays callers', realtime),
  'text-base-url': optionalText('settings.text_base_url', 'where that one is, if elsewhere', realtime),
  'speech-to-text-url': text('settings.speech_to_text.base_url', 'speech to text, with the version', chain),
  'speech-to-text-model': text('settings.speech_to_text.model', 'its model', chain),
  'speech-to-text-key': secret('settings.speech_to_text.api_key', 'its key'),
  'chat-url': text('settings.chat.base_url', 'chat, with the version', chain),
  'chat-model': optionalText('settings.chat.model', 'its model, where it is not the voice agent’s', chain),
  'chat-key': secret('settings.chat.api_key', 'its key'),
  'text-to-speech-url': text('settings.text_to_speech.base_url', 'text to speech, with the version', chain),
  'text-to-speech-model': text('settings.text_to_speech.model', 'its model', chain),
  'text-to-speech-voice': text('settings.text_to_speech.voice', 'its voice where none is named', chain),
  'text-to-speech-rate': number('settings.text_to_speech.sample_rate', 'Hz of its raw answers', chain),
  'text-to-speech-key': secret('settings.text_to_speech.api_key', 'its key'),
  'models-file': jsonFile('models', 'models that it offers: a JSON list of {id, name, languages}'),
  model: unlessIn('models-file', offers('models', 'model that it offers', { ask: 'Model' })),
  'voices-file': jsonFile('voices', 'voices that it offers: a JSON list of {id, name, languages}'),
  voice: offers('voices', 'voice that it offers'),
  price: number('price_per_minute', 'USD for each minute that a voice agent talks'),
  active: yesNo('is_active', 'whether it offers anything and takes calls'),
}
