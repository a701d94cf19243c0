import { dataOf } from '@jackfield/sdk'
import { Group, Stack, Text } from '@mantine/core'
import { IconLogout } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { api } from '../../../api/client'
import { useAction } from '../../../api/use-action'
import { Answered } from '../../../design/page'
import { RowAction } from '../../../design/row-actions'
import { Time } from '../../../design/values'
import { textOf, useTexts } from '../../../i18n/texts'
import { nameOf } from '../device-name'
import { type OwnSession, ownDevicesQuery, ownSessionsQuery } from '../queries'
import { accountTexts } from '../texts'

export function Sessions() {
  const t = useTexts(accountTexts)
  const phones = useQuery(ownDevicesQuery).data?.data ?? []
  const named = (deviceId: string) =>
    nameOf(phones.find(({ device_id }) => device_id === deviceId) ?? { device_id: deviceId })
  const ending = useAction({
    run: async ({ id }: OwnSession) => dataOf(api.DELETE('/me/sessions/{id}', { params: { path: { id } } })),
    // Its push registrations end with it.
    changes: [ownSessionsQuery.queryKey, ownDevicesQuery.queryKey],
    done: ({ device_id }) => textOf(accountTexts, 'ended', { device: named(device_id) }),
  })
  return (
    <Answered query={useQuery(ownSessionsQuery)} rows={2}>
      {({ data }) => (
        <Stack component="ul" gap="sm" p={0} m={0} style={{ listStyle: 'none' }}>
          {data.map((session) => (
            <Group key={session.id} component="li" justify="space-between" wrap="nowrap">
              <div style={{ minWidth: 0 }}>
                <Text style={{ overflowWrap: 'anywhere' }}>
                  {session.is_current ? t('here') : named(session.device_id)}
                </Text>
                <Text size="sm" c="dimmed">
                  {t('since')} <Time at={session.created_at} />, {t('lastUsed')}{' '}
                  <Time at={session.refreshed_at} />
                </Text>
              </div>
              {!session.is_current && (
                <RowAction
                  label={t('end', { device: named(session.device_id) })}
                  icon={IconLogout}
                  isDangerous
                  isRunning={ending.isPending && ending.variables.id === session.id}
                  onClick={() => ending.mutate(session)}
                />
              )}
            </Group>
          ))}
        </Stack>
      )}
    </Answered>
  )
}
