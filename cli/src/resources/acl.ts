import { choice, list, text, yesNo } from '../lib/fields.js'

const modes = ['ip', 'domain']
const allowed = 'addresses, CIDR blocks and names that may call in'

export const aclFields = {
  title: text('title', 'name that people read', { ask: 'Title' }),
  mode: choice('mode', 'whether names in --allow are looked up (domain)', modes, { otherwise: 'ip' }),
  allow: list('allowed_ips', allowed, { ask: 'Addresses that may call in, comma separated' }),
  'unverified-callers': choice(
    'unverified_callers',
    'handling of calls whose signature (STIR/SHAKEN) fails or is missing',
    ['take', 'refuse_failed', 'refuse'],
  ),
  country: text('country', 'code of the country whose national numbers the carrier writes'),
  'inbound-number-format': choice('inbound_number_format', 'how its numbers without a plus sign are read', [
    'auto',
    'e164',
    'national',
  ]),
  'inbound-number-prefix': text('inbound_number_prefix', 'what it puts before called numbers'),
  'called-number-from': choice('called_number_from', 'where the called number stands', [
    'request_uri',
    'to',
    'p_called_party_id',
  ]),
  'trusts-identity': yesNo(
    'trusts_identity',
    'whether P-Asserted-Identity, in place of From, says who calls',
  ),
}
