import type { components } from '@jackfield/sdk'

type Uri = components['schemas']['OutboundGateway']['outbound_uris'][number]

/** A gateway's address as people read it: without the port if DNS supplies it (SRV), and without the transport either (NAPTR). */
export function gatewayAddress({ uri, port, protocol, lookup }: Omit<Uri, 'priority'>): string {
  if (lookup) return lookup === 'naptr' ? uri : `${uri}/${protocol}`
  return `${uri}:${port}/${protocol}`
}
