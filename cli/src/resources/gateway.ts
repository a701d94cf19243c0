import { Flags } from '@oclif/core'
import { type Field, choice, list, number, optionalText, text, texts, textual, yesNo } from '../lib/fields.js'
import { secret } from '../lib/file-fields.js'
import { outboundUris } from '../lib/gateway-uris.js'
import { commaSeparated } from '../lib/texts.js'
import { usageError } from '../lib/usage-error.js'

const password = secret('password', 'SIP password', 'SIP password')

/** Username and password, which belong together. */
const credential: Field<'credential'> = {
  name: 'credential',
  required: false,
  flags: (flag) => ({
    [flag]: Flags.string({ description: 'SIP username, when the carrier asks for one; none takes it away' }),
    ...password.flags('password'),
  }),
  async read(values, flag) {
    const username = values[flag]
    if (username === 'none') return null
    if (username !== undefined) {
      return { username, password: await password.read(values, 'password', true) }
    }
    if (values['password'] === undefined && values['password-file'] === undefined) return undefined
    throw usageError(`--password needs --${flag}`)
  },
}

const headers = { helpGroup: 'Headers' }
const numbers = { helpGroup: 'Numbers' }
const registering = { helpGroup: 'Registration' }
const formats = ['digits', 'plus', 'international_00', 'international_011', 'national', 'national_trunk']

export const gatewayFields = {
  title: text('title', 'name that people read', { ask: 'Title' }),
  'caller-id': optionalText('outbound_caller_id', 'default caller id, for your own use'),
  uri: texts('outbound_uris', 'host[:port][;transport=udp|tcp|tls]; the first is tried first', outboundUris, {
    ask: 'Address of the carrier',
  }),
  username: credential,
  encryption: choice('media_encryption', 'whether the carrier is offered SRTP, over TLS alone', [
    'none',
    'optional',
    'required',
  ]),
  codecs: textual(
    'codecs',
    'what the carrier is offered, best first, of PCMU, PCMA and G722, comma separated; none: PCMU,PCMA',
    { helpValue: '<list>' },
    (value) => (value === 'none' ? null : commaSeparated(value)),
  ),
  'forwarded-calls': choice(
    'forwarded_calls',
    'header that names the called number on calls that are handed on',
    ['none', 'diversion', 'history_info'],
    headers,
  ),
  'forwarded-caller': choice(
    'forwarded_caller',
    'whose number they show; original is set by the operator',
    ['own', 'original'],
    headers,
  ),
  'options-ping': yesNo('options_ping', 'whether its addresses are sent OPTIONS, to know which answer'),
  'from-user': optionalText(
    'from_user',
    'user part of From in place of the caller’s number, which P-Asserted-Identity carries',
    headers,
  ),
  'from-domain': optionalText('from_domain', 'host of From and P-Asserted-Identity', headers),
  'contact-host': optionalText('contact_host', 'host of Contact', headers),
  'request-domain': optionalText(
    'request_domain',
    'host of the request URI, where the addresses are proxies',
    headers,
  ),
  register: yesNo('register', 'whether we register at the carrier, with the credential', registering),
  'register-user': optionalText('register_user', 'user of the address that is registered', registering),
  'register-domain': optionalText('register_domain', 'domain of the address that is registered', registering),
  'register-expires': number('register_expires', 'seconds that are asked for, 60 to 86400', registering),
  country: text('country', 'code of the country whose national numbers it takes', numbers),
  'number-format': choice('number_format', 'how called numbers are written', [...formats, 'prefix'], numbers),
  'number-prefix': text('number_prefix', 'what stands before them with the format prefix', numbers),
  'caller-number-format': choice(
    'caller_number_format',
    'how the caller’s number is written',
    formats,
    numbers,
  ),
  'short-numbers': list(
    'short_numbers',
    'short numbers that go out over it as they are dialled; none empties the list',
    { helpValue: '<411,116117>', ...numbers },
  ),
  signing: yesNo('is_signing', 'whether who calls over it is signed (STIR/SHAKEN)'),
}
