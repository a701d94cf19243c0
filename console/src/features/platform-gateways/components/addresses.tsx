import { Code, Group } from '@mantine/core'
import { gatewayAddress } from '../../../api/gateway-address'
import type { Gateway } from '../queries'

export function Addresses({ gateway: { outbound_uris } }: { gateway: Gateway }) {
  return (
    <Group gap={4}>
      {outbound_uris.map(gatewayAddress).map((address) => (
        <Code key={address} style={{ overflowWrap: 'anywhere' }}>
          {address}
        </Code>
      ))}
    </Group>
  )
}
