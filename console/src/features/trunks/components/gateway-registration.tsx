import { Stack, Switch, Text } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { SettingFields } from '../../../design/setting-fields'
import { StateBadge, Time } from '../../../design/values'
import { useTexts } from '../../../i18n/texts'
import type { OutboundGateway } from '../queries'
import { registrationTexts } from '../texts'
import type { GatewayValues } from './gateway-addresses'

/** Whether the gateway registers (REGISTER), and with what. */
export function GatewayRegistration({ form }: { form: UseFormReturnType<GatewayValues> }) {
  const t = useTexts(registrationTexts)
  return (
    <Stack gap="sm">
      <Switch
        label={t('register')}
        description={t('registerHint')}
        {...form.getInputProps('register', { type: 'checkbox' })}
      />
      {form.values.register && (
        <SettingFields
          form={form}
          fields={[
            { path: 'register_user', label: t('user'), hint: t('userHint') },
            { path: 'register_domain', label: t('domain'), hint: t('domainHint') },
            { path: 'register_expires', label: t('expires'), hint: t('expiresHint'), kind: 'number' },
          ]}
        />
      )}
    </Stack>
  )
}

const tones = {
  registered: 'good',
  registering: 'warn',
  waiting: 'warn',
  refused: 'bad',
  unreachable: 'bad',
} as const

/** Registration state of a gateway; renders nothing for one that does not register. */
export function RegistrationState({ registration }: Pick<OutboundGateway, 'registration'>) {
  const t = useTexts(registrationTexts)
  if (!registration) return null
  const { status, sip_code, reason, registered_until, since } = registration
  const answer = [sip_code, reason].filter((part) => part !== null).join(' ')
  return (
    <>
      <StateBadge tone={tones[status]}>{t(status)}</StateBadge>
      {status !== 'registered' && answer && (
        <Text size="xs" c="dimmed">
          {answer}, {t('since')} <Time at={since} />
        </Text>
      )}
      {status === 'registered' && registered_until && (
        <Text size="xs" c="dimmed">
          {t('until')} <Time at={registered_until} />
        </Text>
      )}
    </>
  )
}
