import { dataOf } from '@jackfield/sdk'
import type { components } from '@jackfield/sdk'
import { Button, Card, Group, ScrollArea, Table, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../../api/client'
import { useAction } from '../../../api/use-action'
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
      <PagedTable label={t('numbers')} query={query} page={page} onPage={setPage}>
        {(numbers) =>
          numbers.length === 0 ? (
            <Text c="dimmed">{t('noNumbers')}</Text>
          ) : (
            <ScrollArea
              type="auto"
              scrollbars="x"
              viewportProps={{ tabIndex: 0, role: 'region', 'aria-label': t('numbers') }}
            >
              <Table aria-label={t('numbers')}>
                <Table.Thead>
                  <Table.Tr>
                    <Table.Th>{t('number')}</Table.Th>
                    <Table.Th>{t('title')}</Table.Th>
                    <Table.Th>{t('state')}</Table.Th>
                    <Table.Th aria-hidden />
                  </Table.Tr>
                </Table.Thead>
                <Table.Tbody>
                  {numbers.map((number) => (
                    <Table.Tr key={number.id}>
                      <Table.Td>
                        <PhoneNumber number={`+${number.number}`} />
                      </Table.Td>
                      <Table.Td>{number.title}</Table.Td>
                      <Table.Td>
                        <StateBadge tone={tones[number.status]}>{t(number.status)}</StateBadge>
                      </Table.Td>
                      <Table.Td>
                        <Group gap="xs" justify="flex-end" wrap="nowrap">
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
                      </Table.Td>
                    </Table.Tr>
                  ))}
                </Table.Tbody>
              </Table>
            </ScrollArea>
          )
        }
      </PagedTable>
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
