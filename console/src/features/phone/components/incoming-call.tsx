import { Group, Stack, Text } from '@mantine/core'
import { IconPhone, IconPhoneOff } from '@tabler/icons-react'
import { NumbersIn, PhoneNumber } from '../../../design/values'
import { useTexts } from '../../../i18n/texts'
import { type Ring, phone, usePhone } from '../phone'
import { phoneTexts } from '../texts'
import { PhoneButton } from './phone-button'

interface IncomingCallProps {
  ring: Ring
  /** Whether the keyboard shortcuts apply to this one. */
  isFirst: boolean
  run: (work: () => Promise<void>) => void
}

/** A ringing call. */
export function IncomingCall({ ring, isFirst, run }: IncomingCallProps) {
  const t = useTexts(phoneTexts)
  const { isBusy, isStarting, current } = usePhone()
  const { from, to } = ring
  const name = from.name || from.number || t('unknownCaller')
  return (
    <Stack gap="xs">
      <div role="alert">
        <Text fw={600} style={{ overflowWrap: 'anywhere' }}>
          <NumbersIn text={t('incoming', { name })} />
        </Text>
        <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          {from.name && from.name !== from.number && (
            <>
              <PhoneNumber number={from.number} />{' '}
            </>
          )}
          <NumbersIn text={t('incomingTo', { number: to.name || to.number })} />
        </Text>
      </div>
      <Group grow gap="xs">
        <PhoneButton
          label={t('answer')}
          shortcut={isFirst ? 'answer' : undefined}
          color="teal.9"
          leftSection={<IconPhone size={18} />}
          loading={isStarting}
          disabled={isBusy}
          onClick={() => run(async () => phone.answer(ring))}
        >
          {t('answer')}
        </PhoneButton>
        <PhoneButton
          label={t('decline')}
          shortcut={isFirst && !current ? 'hangUp' : undefined}
          variant="default"
          leftSection={<IconPhoneOff size={18} />}
          onClick={() => run(async () => phone.reject(ring))}
        >
          {t('decline')}
        </PhoneButton>
      </Group>
      {isBusy && (
        <Text size="sm" c="dimmed">
          {t('answerWait')}
        </Text>
      )}
    </Stack>
  )
}
