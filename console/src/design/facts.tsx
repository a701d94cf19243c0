/** A list of names and values, read-only. */
import { Group, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'

/** What is known of a thing: a fact that is `null` is left out. */
export function Facts({ facts }: { facts: readonly (readonly [name: string, value: ReactNode])[] }) {
  const known = facts.filter(([, value]) => value !== null)
  return (
    <Stack component="dl" gap="xs" m={0}>
      {known.map(([name, value]) => (
        <Group key={name} gap="xs" align="baseline" wrap="nowrap">
          <Text component="dt" size="sm" c="dimmed" w={{ base: 96, xs: 150 }} style={{ flexShrink: 0 }}>
            {name}
          </Text>
          <Text component="dd" size="sm" m={0} style={{ minWidth: 0, overflowWrap: 'anywhere' }}>
            {value}
          </Text>
        </Group>
      ))}
    </Stack>
  )
}
