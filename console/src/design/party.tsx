import { Stack, Text } from '@mantine/core'
import { PhoneNumber } from './values'

/** Name, if known, and number. */
export function Party({ number, name }: { number: string; name: string }) {
  return (
    <Stack gap={0}>
      {name !== '' && name !== number && <Text span>{name}</Text>}
      <PhoneNumber number={number} />
    </Stack>
  )
}
