import Type, { type Static } from 'typebox'
import { nullable, wellFormed } from '../../http/shapes.js'
import { maxBodyLength } from '../message.schema.js'

/** Own words of each kind. */
const maxWords = 50

const words = (description: string) =>
  Type.Array(
    Type.String({ minLength: 1, maxLength: 40, pattern: wellFormed, 'x-rule': 'a well-formed text' }),
    { maxItems: maxWords, description },
  )

const reply = (description: string) =>
  nullable(
    Type.String({
      ...{ maxLength: maxBodyLength, pattern: wellFormed, 'x-rule': 'a well-formed text' },
      description: `${description}; null: the usual answer, empty: none. \`{{number}}\` is the workspace’s number`,
    }),
  )

const fields = {
  stop_words: words('By which clients opt out, beside STOP and its like'),
  start_words: words('By which clients opt in again, beside START and its like'),
  help_words: words('By which clients ask for help, beside HELP and its like'),
  stop_reply: reply('What a client is answered who has opted out'),
  start_reply: reply('What a client is answered who has opted in again'),
  help_reply: reply('What a client is answered who asks for help'),
  replace_look_alikes: Type.Boolean({
    description:
      'Whether quotes, dashes, spaces and the like that the GSM-7 alphabet lacks are sent as those that it has, where the text then needs no UCS-2',
  }),
}

export const MessageSettingsShape = Type.Object(fields, { title: 'MessageSettings' })
export type MessageSettings = Static<typeof MessageSettingsShape>

export const UpdateMessageSettings = Type.Partial(Type.Object(fields))
export type UpdateMessageSettings = Static<typeof UpdateMessageSettings>
