/** SIP accounts, as the API has them. */
import { invalidField } from '../../infrastructure/http/errors.js'
import { resource } from '../../infrastructure/resources/resource.js'
import { SipAccount } from './sip-account.entity.js'
import { CreateSipAccount, SipAccountList, SipAccountShape, UpdateSipAccount } from './sip-account.schema.js'

export const notANumber = () =>
  invalidField('outbound_caller_id', 'outbound_caller_id must be a phone number of this workspace, or empty')

export const sipAccountResource = resource({
  ...{ path: '/sip-accounts', noun: 'SIP account', tag: 'SIP accounts', unknown: 'No such account' },
  ...{ id: 'si', table: SipAccount, search: ['title', 'username'] },
  hidden: ['ha1', 'ha1b', 'ha1_sha256', 'ha1b_sha256'],
  fields: { ha1: 'password', ha1b: 'password', ha1_sha256: 'password', ha1b_sha256: 'password' },
  taken: ({ username }) => `The username ${username} is taken in this workspace`,
  missing: notANumber,
  shape: SipAccountShape,
  list: { query: SipAccountList },
  show: {},
  create: {
    body: CreateSipAccount,
    description: 'Phones can register with its domain, username and password at once.',
    errors: { 403: 'The workspace holds as many accounts as it may', 409: 'The username is taken' },
  },
  update: {
    body: UpdateSipAccount,
    description: 'A new password takes its phones off the registrar: they register again with it.',
  },
  delete: {
    description: 'Its phones are taken off the registrar and cannot register again.',
    errors: { 409: 'Extensions use it' },
  },
})
