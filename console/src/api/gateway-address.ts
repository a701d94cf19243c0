import type { components } from '@jackfield/sdk'

type Uri = components['schemas']['OutboundGateway']['outbound_uris'][number]

/** An address of a gateway as people read it; of a name that DNS knows more of, without that. */
export function gatewayAddress({ uri, port, protocol, lookup }: Omit<Uri, 'priority'>): string {
  if (lookup) return lookup === 'naptr' ? uri : `${uri}/${protocol}`
  return `${uri}:${port}/${protocol}`
}
