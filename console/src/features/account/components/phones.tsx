import { dataOf } from '@jackfield/sdk'
import { Group, Stack, Text } from '@mantine/core'
import { IconBellOff } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { api } from '../../../api/client'
import { useAction } from '../../../api/use-action'
import { RowAction } from '../../../design/row-actions'
import { SectionCard } from '../../../design/section-card'
import { Time } from '../../../design/values'
import { useTexts } from '../../../i18n/texts'
import { nameOf } from '../device-name'
import { ownDevicesQuery } from '../queries'
import { accountTexts } from '../texts'

/** Renders nothing without devices: most agents have no app. */
export function Phones() {
  const t = useTexts(accountTexts)
  const phones = useQuery(ownDevicesQuery).data?.data ?? []
  const removing = useAction({
    run: async (device_id: string) =>
      dataOf(api.DELETE('/me/devices/{device_id}', { params: { path: { device_id } } })),
    changes: [ownDevicesQuery.queryKey],
  })
  if (phones.length === 0) return null
  return (
    <SectionCard title={t('phones')} hint={t('phonesHint')}>
      <Stack component="ul" gap="sm" p={0} m={0} style={{ listStyle: 'none' }}>
        {phones.map((phone) => (
          <Group key={phone.id} component="li" justify="space-between" wrap="nowrap">
            <div style={{ minWidth: 0 }}>
              <Text style={{ overflowWrap: 'anywhere' }}>{nameOf(phone)}</Text>
              <Text size="sm" c="dimmed">
                {[
                  phone.platform === 'ios' ? 'iOS' : 'Android',
                  phone.os_version,
                  phone.app_version && `App ${phone.app_version}`,
                ]
                  .filter(Boolean)
                  .join(' · ')}
                , {t('updated')} <Time at={phone.updated_at} />
              </Text>
            </div>
            <RowAction
              label={t('unregister', { device: nameOf(phone) })}
              icon={IconBellOff}
              isDangerous
              isRunning={removing.isPending && removing.variables === phone.device_id}
              onClick={() => removing.mutate(phone.device_id)}
            />
          </Group>
        ))}
      </Stack>
    </SectionCard>
  )
}
