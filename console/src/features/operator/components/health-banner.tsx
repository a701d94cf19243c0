import { Alert, Anchor, Group } from '@mantine/core'
import { IconAlertTriangle, IconCheck } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useTexts } from '../../../i18n/texts'
import type { PlatformStatus } from '../queries'
import { healthTexts } from '../texts'

/** The worst that there is, in one banner: a second one would contradict it. */
export function HealthBanner({ status: { state, work } }: { status: PlatformStatus }) {
  const t = useTexts(healthTexts)
  const isOk = state === 'ok'
  const down = work?.carriers.filter((carrier) => carrier.state === 'down').length ?? 0
  if (isOk && down === 0)
    return (
      <Alert color="green" icon={<IconCheck />} role="status">
        {t(state)}
      </Alert>
    )
  return (
    <Alert color={isOk ? 'yellow' : 'red'} icon={<IconAlertTriangle />} role={isOk ? 'status' : 'alert'}>
      <Group gap="xs">
        {!isOk && <span>{t(state)}</span>}
        {down > 0 && (
          <>
            <span>{t('carriersDown', { count: down })}</span>
            <Anchor component={Link} to="/carriers" c="inherit" underline="always">
              {t('carriers')}
            </Anchor>
          </>
        )}
      </Group>
    </Alert>
  )
}
