import { dataOf } from '@jackfield/sdk'
import type { components } from '@jackfield/sdk'
import { Button, Card, Group, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../../api/client'
import { useAction } from '../../../api/use-action'
import { text } from '../../../design/column-kinds'
import { FormModal } from '../../../design/form-modal'
import { partOf } from '../../../design/part-of'
import { PhoneNumber, StateBadge, type Tone } from '../../../design/values'
import { useTexts } from '../../../i18n/texts'
import { checklistKey, workspacesKey } from '../../../api/platform'
import { type Workspace, numbersQuery } from '../queries'
import { workspacesTexts } from '../texts'
import { PagedTable } from './paged-table'

const NumberCarriersForm = partOf(async () => import('./number-carriers-form'), 'NumberCarriersForm')
const NumberSettingsForm = partOf(async () => import('./number-settings-form'), 'NumberSettingsForm')

type OwnNumber = components['schemas']['PhoneNumber']

const tones: Readonly<Record<OwnNumber['status'], Tone>> = {
  active: 'good',
  pending: 'warn',
  inactive: 'idle',
}

/** The customer's numbers: the operator activates them and assigns SMS carriers. */
export function NumbersCard({ workspace: { id: workspace_id } }: { workspace: Workspace }) {
  const t = useTexts(workspacesTexts)
  const [page, setPage] = useState(1)
  const [assigned, setAssigned] = useState<OwnNumber | null>(null)
  const query = useQuery(numbersQuery(workspace_id, page))
  const activate = useAction({
    run: async ({ id }: OwnNumber) =>
      dataOf(
        api.POST('/workspaces/{workspace_id}/phone-numbers/{id}/activate', {
          params: { path: { workspace_id, id } },
        }),
      ),
    changes: [[...workspacesKey, 'numbers', workspace_id], checklistKey],
    done: ({ number }) => t('activated', { number }),
  })
  const [edited, setEdited] = useState<OwnNumber | null>(null)
  const close = () => setAssigned(null)
  return (
    <Card withBorder component="section">
      <Title order={2} size="h4" mb="sm">
        {t('numbers')}
      </Title>
      <PagedTable
        label={t('numbers')}
        query={query}
        page={page}
        onPage={setPage}
        empty={t('noNumbers')}
        columns={[
          {
            key: 'number',
            header: t('number'),
            render: ({ number }) => <PhoneNumber number={`+${number}`} />,
          },
          text('title', t('title')),
          {
            key: 'state',
            header: t('state'),
            render: ({ status }) => <StateBadge tone={tones[status]}>{t(status)}</StateBadge>,
          },
        ]}
        rowActions={(number) => (
          <Group gap="xs" justify="flex-end">
            {number.status !== 'active' && (
              <Button
                size="xs"
                aria-label={`${t('activate')}: +${number.number}`}
                onClick={() => activate.mutate(number)}
              >
                {t('activate')}
              </Button>
            )}
            <Button
              size="xs"
              variant="default"
              aria-label={t('carriersOf', { number: `+${number.number}` })}
              onClick={() => setAssigned(number)}
            >
              {t('carriers')}
            </Button>
            <Button
              size="xs"
              variant="default"
              aria-label={t('settingsOf', { number: `+${number.number}` })}
              onClick={() => setEdited(number)}
            >
              {t('settings')}
            </Button>
          </Group>
        )}
      />
      <FormModal
        title={t('carriersOf', { number: `+${assigned?.number ?? ''}` })}
        opened={assigned !== null}
        onClose={close}
      >
        {assigned && <NumberCarriersForm number={assigned} onDone={close} />}
      </FormModal>
      <FormModal
        title={t('settingsOf', { number: `+${edited?.number ?? ''}` })}
        opened={edited !== null}
        onClose={() => setEdited(null)}
      >
        {edited && <NumberSettingsForm number={edited} onDone={() => setEdited(null)} />}
      </FormModal>
    </Card>
  )
}
