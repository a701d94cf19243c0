import { dataOf } from '@jackfield/sdk'
import type { components } from '@jackfield/sdk'
import { Button, Group, Stack, Text } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../../api/client'
import { useAction } from '../../../api/use-action'
import { FormModal } from '../../../design/form-modal'
import { showInvitation } from '../../../design/invitation'
import { Answered } from '../../../design/page'
import { partOf } from '../../../design/part-of'
import { SectionCard } from '../../../design/section-card'
import { StateBadge, momentOf } from '../../../design/values'
import { useTexts } from '../../../i18n/texts'
import { administratorsKey, administratorsQuery } from '../queries'
import { workspacesTexts } from '../texts'

const NewAdministratorForm = partOf(async () => import('./new-administrator-form'), 'NewAdministratorForm')

type Administrator = components['schemas']['Administrator']

/** A workspace's administrators, and their links to set a password. */
export function AdministratorsCard({ workspace: id }: { workspace: string }) {
  const t = useTexts(workspacesTexts)
  const query = useQuery(administratorsQuery(id))
  const [isAdding, setAdding] = useState(false)
  return (
    <SectionCard title={t('administrators')} hint={t('administratorsHint')}>
      <Answered query={query} rows={1}>
        {({ data }) => (
          <Stack gap="sm">
            {data.length === 0 && <Text c="dimmed">{t('noAdministrators')}</Text>}
            {data.map((one) => (
              <Row key={one.id} workspace={id} administrator={one} />
            ))}
            <Button
              variant="light"
              leftSection={<IconPlus size={18} />}
              onClick={() => setAdding(true)}
              style={{ alignSelf: 'flex-start' }}
            >
              {t('newAdministrator')}
            </Button>
          </Stack>
        )}
      </Answered>
      <FormModal title={t('newAdministrator')} opened={isAdding} onClose={() => setAdding(false)}>
        <NewAdministratorForm workspace={id} onDone={() => setAdding(false)} />
      </FormModal>
    </SectionCard>
  )
}

function Row({ workspace, administrator }: { workspace: string; administrator: Administrator }) {
  const t = useTexts(workspacesTexts)
  const { id: agent_id, username, display_name, is_active, invited_until } = administrator
  const changes = [administratorsKey(workspace)]
  const invite = useAction({
    run: async () =>
      dataOf(
        api.POST('/workspaces/{id}/administrators', {
          params: { path: { id: workspace } },
          body: { username },
        }),
      ),
    changes,
    onDone: (invitation) => showInvitation(display_name, invitation),
  })
  const revoke = useAction({
    run: async () =>
      dataOf(
        api.DELETE('/workspaces/{id}/administrators/{agent_id}/invitation', {
          params: { path: { id: workspace, agent_id } },
        }),
      ),
    changes,
    done: () => t('revoked'),
  })
  return (
    <Group justify="space-between" gap="xs">
      <Group gap="xs" style={{ minWidth: 0 }}>
        <Text style={{ overflowWrap: 'anywhere' }}>{`${display_name} (${username})`}</Text>
        {!is_active && <StateBadge tone="idle">{t('inactiveAdministrator')}</StateBadge>}
        {invited_until && (
          <StateBadge tone="warn">{t('invited', { until: momentOf(invited_until) })}</StateBadge>
        )}
      </Group>
      <Group gap="xs">
        {invited_until && (
          <Button
            size="xs"
            variant="default"
            aria-label={`${t('revoke')}: ${display_name}`}
            loading={revoke.isPending}
            onClick={() => revoke.mutate()}
          >
            {t('revoke')}
          </Button>
        )}
        {is_active && (
          <Button
            size="xs"
            variant="default"
            aria-label={`${t('newLink')}: ${display_name}`}
            loading={invite.isPending}
            onClick={() => invite.mutate()}
          >
            {t('newLink')}
          </Button>
        )}
      </Group>
    </Group>
  )
}
