/** An entry of the list of destinations: what it is, and whether it can be reached now. */
import { Combobox, Group, Stack, Text } from '@mantine/core'
import {
  IconAddressBook,
  IconDeviceLandlinePhone,
  IconHash,
  IconPhoneOutgoing,
  IconRouteAltLeft,
  IconUser,
  IconUsersGroup,
} from '@tabler/icons-react'
import { NumbersIn, PhoneNumber, StateBadge } from '../../../design/values'
import { useTexts } from '../../../i18n/texts'
import { ShownPresence } from '../../presence/components/presence-state'
import { type Destination, keyOf } from '../destinations'
import { phoneTexts } from '../texts'

const pictures = {
  agent: IconUser,
  team: IconUsersGroup,
  extension: IconHash,
  sip_account: IconDeviceLandlinePhone,
  contact: IconAddressBook,
  phone_number: IconRouteAltLeft,
  outside_number: IconPhoneOutgoing,
} as const satisfies Record<Destination['kind'], typeof IconUser>

interface DestinationOptionProps {
  destination: Destination
  /** Why it cannot be chosen. */
  refusal: string | null
}

export function DestinationOption({ destination, refusal }: DestinationOptionProps) {
  const { kind, name, extension, username, number } = destination
  const Picture = pictures[kind]
  const shown = [extension, username].filter(Boolean).join(' · ')
  const details = number === null ? shown : <PhoneNumber number={number} />
  return (
    <Combobox.Option value={keyOf(destination)} disabled={refusal !== null}>
      <Group justify="space-between" wrap="nowrap" gap="xs">
        <Group gap="xs" wrap="nowrap" style={{ minWidth: 0 }}>
          <Picture size={18} aria-hidden style={{ flexShrink: 0 }} />
          <Stack gap={0} style={{ minWidth: 0 }}>
            <Text size="sm" truncate>
              {name ? <NumbersIn text={name} /> : details}
            </Text>
            {name && details && (
              <Text size="xs" c="dimmed" truncate>
                {details}
              </Text>
            )}
            {refusal && (
              <Text size="xs" style={{ whiteSpace: 'normal' }}>
                {refusal}
              </Text>
            )}
          </Stack>
        </Group>
        <Reach destination={destination} />
      </Group>
    </Combobox.Option>
  )
}

/** Whether it can be reached now, in words. */
function Reach({ destination }: { destination: Destination }) {
  const t = useTexts(phoneTexts)
  const { state, free_agents: free, waiting_callers: waiting, is_registered } = destination
  if (state !== null) return <ShownPresence state={state} />
  if (free !== null) {
    return (
      <StateBadge tone={free > 0 ? 'good' : 'warn'}>
        {waiting ? t('teamReachWaiting', { free, waiting }) : t('teamReach', { free })}
      </StateBadge>
    )
  }
  if (is_registered === null) return null
  return (
    <StateBadge tone={is_registered ? 'good' : 'idle'}>
      {t(is_registered ? 'registered' : 'notRegistered')}
    </StateBadge>
  )
}
