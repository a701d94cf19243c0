/** Links to the pages of changed objects. */
import { linkOptions } from '@tanstack/react-router'
import { nounOf } from './actions'
import type { AuditEntry } from './queries'

/** Undefined if there is no page or the object was deleted. Where there is only a list, it is searched. */
export function placeOf({ action, target: { type, id, name } }: AuditEntry) {
  if (action.endsWith('.delete')) return undefined
  const params = { id }
  const search = name === null ? {} : { search: name }
  switch (nounOf(type)) {
    case 'agent':
      return linkOptions({ to: '/agents/$id', params })
    case 'transcript':
      return linkOptions({ to: '/calls/$id', params })
    case 'call_flow':
      return linkOptions({ to: '/flows/$flowId', params: { flowId: id } })
    case 'phone_number':
      return linkOptions({ to: '/numbers/$id', params })
    case 'team':
      return linkOptions({ to: '/teams/$id', params })
    case 'voice_agent':
      return linkOptions({ to: '/voice-agents/$id', params })
    case 'webhook':
      return linkOptions({ to: '/webhooks/$id', params })
    case 'push_credential':
      return linkOptions({ to: '/push-credentials/$id', params })
    case 'address_book':
      return linkOptions({ to: '/address-books', search })
    case 'api_key':
      return linkOptions({ to: '/api-keys', search: { search: id } })
    case 'audio':
      return linkOptions({ to: '/audios', search })
    case 'contact':
      return linkOptions({ to: '/contacts', search })
    case 'erasure':
      return linkOptions({ to: '/erasures' })
    case 'extension':
      return linkOptions({ to: '/extensions', search })
    case 'sip_account':
      return linkOptions({ to: '/sip-accounts', search })
    case 'inbound_acl':
      return linkOptions({ to: '/trunks', search })
    case 'outbound_gateway':
      return linkOptions({ to: '/trunks', search: { ...search, view: 'gateways' } })
    case 'credit':
    case 'signing_secret':
    case 'workspace':
      return linkOptions({ to: '/workspace' })
    default:
      return undefined
  }
}
