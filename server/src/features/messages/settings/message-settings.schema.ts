import Type, { type Static } from 'typebox'
import { nullable, wellFormed } from '../../../infrastructure/http/shapes.js'
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
  stop_words: words('By which clients opt out, in addition to STOP and the same in other languages'),
  start_words: words('By which clients opt in again, in addition to START and the same in other languages'),
  help_words: words('By which clients ask for help, in addition to HELP and the same in other languages'),
  stop_reply: reply('The answer to a client who opts out'),
  start_reply: reply('The answer to a client who opts in again'),
  help_reply: reply('The answer to a client who asks for help'),
  replace_look_alikes: Type.Boolean({
    description:
      'Whether quotes, dashes, spaces and the like that the GSM-7 alphabet lacks are sent as plain ones, where the text then needs no UCS-2',
  }),
}

export const MessageSettingsShape = Type.Object(fields, { title: 'MessageSettings' })
export type MessageSettings = Static<typeof MessageSettingsShape>

export const UpdateMessageSettings = Type.Partial(Type.Object(fields))
export type UpdateMessageSettings = Static<typeof UpdateMessageSettings>
