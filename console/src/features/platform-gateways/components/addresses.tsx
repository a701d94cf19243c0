import { Code, Group } from '@mantine/core'
import type { Gateway } from '../queries'

export function Addresses({ gateway: { outbound_uris } }: { gateway: Gateway }) {
  return (
    <Group gap={4}>
      {outbound_uris.map(({ uri, port, protocol }) => (
        <Code key={`${uri}:${port}/${protocol}`} style={{ overflowWrap: 'anywhere' }}>
          {uri}:{port}/{protocol}
        </Code>
      ))}
    </Group>
  )
}
