import { Text } from '@mantine/core'
import { PhoneNumber } from '../../../design/values'
import type { FarParty } from '../board'

/** Name, if known, and number, in one line: rows of the board have one. */
export function PartyLine({ party: { number, name } }: { party: FarParty }) {
  return (
    <>
      {name !== '' && name !== number && (
        <Text span truncate mr={6}>
          {name}
        </Text>
      )}
      <PhoneNumber number={number} />
    </>
  )
}
