import { type Field, choice, number, text, yesNo } from '../lib/fields.js'
import { jsonFile, secret } from '../lib/file-fields.js'
import { table } from '../lib/table.js'

const smpp = { helpGroup: 'SMPP' }
const numbers = { helpGroup: 'Numbers' }

/** A field that a new carrier of this kind requires, unless a file has the settings. */
function neededBy<N extends string>(kind: 'smpp' | 'http', field: Field<N>): Field<N> {
  return {
    ...field,
    read: async (values, flag, lacking) =>
      field.read(
        values,
        flag,
        lacking && (values['kind'] ?? 'smpp') === kind && values['settings-file'] === undefined,
      ),
  }
}

/** Fields of a carrier; flags override the settings file. */
export const carrierFields = {
  title: text('title', 'name that people read', { ask: 'Title' }),
  'settings-file': jsonFile('settings', 'settings as JSON; those that it does not name stay as they are'),
  host: neededBy('smpp', text('settings.host', 'name or address of the SMSC', { ask: 'Host', ...smpp })),
  port: number('settings.port', 'its port', smpp),
  tls: yesNo('settings.tls', 'TLS from the first byte', smpp),
  'system-id': neededBy('smpp', text('settings.system_id', 'who binds', { ask: 'System id', ...smpp })),
  password: neededBy('smpp', secret('settings.password', 'password of the bind', 'Password of the bind')),
  bind: choice(
    'settings.bind',
    'one connection for both directions, or one for each',
    ['transceiver', 'transmitter_receiver'],
    smpp,
  ),
  country: text('settings.country', 'code of the country whose national numbers it writes', numbers),
  'number-format': choice(
    'settings.number_format',
    'how numbers go out',
    [
      ...['digits', 'plus', 'international_00', 'international_011'],
      ...['national', 'national_trunk', 'prefix'],
    ],
    numbers,
  ),
  'inbound-number-format': choice(
    'settings.inbound_number_format',
    'how its numbers without a plus sign are read',
    ['auto', 'e164', 'national'],
    numbers,
  ),
  url: neededBy(
    'http',
    text('settings.url', 'where messages are submitted', { ask: 'URL', helpGroup: 'HTTP' }),
  ),
  'headers-file': jsonFile('settings.headers', 'headers of each request as a JSON object; kept encrypted', {
    helpGroup: 'HTTP',
  }),
  'inbound-secret': secret('settings.inbound_secret', 'what the carrier signs its posts with, or sends'),
  window: number('window_size', 'submissions that may be without an answer at once'),
  throughput: number('throughput', 'segments a second, at most'),
  active: yesNo('is_active', 'whether anything is sent to it and taken from it'),
}

/** Path of a number's carriers. */
export const carriersOfNumber = '/workspaces/{workspace_id}/phone-numbers/{id}/carriers'

interface Assigned {
  carriers: readonly { id: string; title: string; kind: string; is_active: boolean }[]
}

/** A number's carriers for display. */
export function assignedCarriers({ carriers }: Assigned): string {
  if (carriers.length === 0) return 'The number has no SMS carrier: it sends and takes no messages.'
  return table(carriers, {
    id: ({ id }) => id,
    title: ({ title }) => title,
    kind: ({ kind }) => kind,
    is_active: ({ is_active }) => is_active,
  })
}
