import { Stack, Text } from '@mantine/core'
import { PhoneNumber } from '../../../design/values'
import type { CallRecord } from '../workspace-calls'

/** Name, if known, and number. */
export function Party({ number, name }: { number: string; name: string }) {
  return (
    <Stack gap={0}>
      {name !== '' && name !== number && <Text span>{name}</Text>}
      <PhoneNumber number={number} />
    </Stack>
  )
}

type Parties = Pick<CallRecord, 'from' | 'from_name' | 'to' | 'to_name' | 'direction' | 'contact'>

/** A side of a call: the outer one goes by the name of its contact. */
export function PartyOf({ call, side }: { call: Parties; side: 'from' | 'to' }) {
  const isOutside = (side === 'from') === (call.direction === 'inbound')
  const name = (isOutside && call.contact?.name) || call[`${side}_name`]
  return <Party number={call[side]} name={name} />
}
