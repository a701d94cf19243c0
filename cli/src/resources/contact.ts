import { Errors } from '@oclif/core'
import { usageExitCode } from '../lib/ask.js'
import { list, optionalText, text, texts } from '../lib/fields.js'

export const contactFields = {
  name: text('name', 'name that people read', { ask: 'Name' }),
  numbers: list('numbers', 'its numbers in E.164', { ask: 'Numbers, comma separated' }),
  email: optionalText('email', 'e-mail address'),
  notes: optionalText('notes', 'what is worth knowing'),
  'address-book': optionalText('address_book_id', 'address book that it is in', { helpValue: '<ab_…>' }),
  field: texts(
    'custom_fields',
    'field of your own, <name>=<value>; all together replace what there were',
    (pairs) => Object.fromEntries(pairs.map(pairOf)),
  ),
}

function pairOf(text: string): [string, string] {
  const [, name, value] = /^([^=]+)=(.*)$/s.exec(text) ?? []
  if (name !== undefined && value !== undefined) return [name, value]
  throw new Errors.CLIError(`--field ${text} must be <name>=<value>`, { exit: usageExitCode })
}
