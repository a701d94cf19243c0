import { Flags } from '@oclif/core'
import { type Field, choice, optionalText, text, texts, yesNo } from '../lib/fields.js'
import { secret } from '../lib/file-fields.js'
import { outboundUris } from '../lib/gateway-uris.js'
import { usageError } from '../lib/usage-error.js'

const password = secret('password', 'SIP password', 'SIP password')

/** Username and password, which go together. */
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
  signing: yesNo('is_signing', 'whether who calls over it is signed (STIR/SHAKEN)'),
}
