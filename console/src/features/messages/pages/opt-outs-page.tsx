import { dataOf } from '@jackfield/sdk'
import { Button, Group } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconAdjustments, IconMessageOff } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { api } from '../../../api/client'
import { AddButton } from '../../../design/add-button'
import { type Column, DataTable } from '../../../design/data-table'
import { confirmDelete } from '../../../design/dialogs'
import { FormModal } from '../../../design/forms'
import { EmptyState, Page } from '../../../design/page'
import { Picker } from '../../../design/picker'
import { RowActions } from '../../../design/row-actions'
import { PhoneNumber, Time } from '../../../design/values'
import { useTexts } from '../../../i18n/texts'
import { usePolling } from '../../../live/live'
import { menuTexts } from '../../texts'
import { OptOutForm } from '../components/opt-out-form'
import { MessageSettingsForm } from '../components/message-settings-form'
import { type OptOut, messageSettingsQuery, numberChoices, optOutsKey, optOutsQuery } from '../queries'
import { messageSettingsTexts, optOutTexts } from '../texts'

/** Polling interval: opt-outs are not streamed. */
const askedEveryMs = 10_000

export function OptOutsPage() {
  const t = useTexts(optOutTexts)
  const title = useTexts(menuTexts.messages)('optOuts')
  const search = useSearch({ from: '/shell/admin/opt-outs' })
  const navigate = useNavigate({ from: '/opt-outs' })
  const client = useQueryClient()
  const query = useQuery({ ...optOutsQuery(search), refetchInterval: usePolling() || askedEveryMs })
  const [isAdding, adding] = useDisclosure()
  const [isSetting, setting] = useDisclosure()
  const settings = useQuery(messageSettingsQuery)
  const settingsTitle = useTexts(messageSettingsTexts)('title')
  const add = <AddButton onClick={adding.open}>{t('add')}</AddButton>
  const actions = (
    <Group>
      <Button
        variant="default"
        leftSection={<IconAdjustments size={16} />}
        disabled={!settings.data}
        onClick={setting.open}
      >
        {settingsTitle}
      </Button>
      {add}
    </Group>
  )
  const nameOf = ({ client_number }: OptOut) => t('name', { number: client_number })
  const columns: Column<OptOut>[] = [
    {
      key: 'client',
      header: t('client'),
      render: ({ client_number }) => <PhoneNumber number={client_number} />,
    },
    {
      key: 'number',
      header: t('number'),
      render: ({ system_number }) => <PhoneNumber number={system_number} />,
    },
    {
      key: 'since',
      header: t('since'),
      sort: 'created_at',
      render: ({ created_at }) => <Time at={created_at} />,
    },
  ]
  const remove = (optOut: OptOut) => {
    const { phone_number_id, client_number } = optOut
    const params = { path: { phone_number_id, client_number } }
    confirmDelete({
      name: nameOf(optOut),
      consequence: t('removeConsequence'),
      run: async () => dataOf(api.DELETE('/opt-outs/{phone_number_id}/{client_number}', { params })),
      onDone: () => void client.invalidateQueries({ queryKey: optOutsKey }),
    })
  }
  return (
    <Page title={title} description={t('description')} actions={actions}>
      <DataTable
        label={title}
        query={query}
        columns={columns}
        rowKey={({ phone_number_id, client_number }) => `${phone_number_id} ${client_number}`}
        search={search}
        onSearch={(change) => void navigate({ search: (before) => ({ ...before, ...change }) })}
        searchLabel={t('search')}
        filters={
          <Picker
            label={t('number')}
            placeholder={t('all')}
            clearable
            source={numberChoices}
            value={search.number ?? null}
            onChange={(number) =>
              void navigate({
                search: (before) => ({ ...before, number: number ?? undefined, page: undefined }),
              })
            }
            w={220}
          />
        }
        isFiltered={search.number !== undefined}
        empty={
          <EmptyState icon={IconMessageOff} title={t('emptyTitle')} action={add}>
            {t('emptyHint')}
          </EmptyState>
        }
        rowActions={(optOut) => <RowActions name={nameOf(optOut)} onDelete={() => remove(optOut)} />}
      />
      <FormModal title={t('add')} opened={isAdding} onClose={adding.close}>
        <OptOutForm onDone={adding.close} />
      </FormModal>
      <FormModal title={settingsTitle} opened={isSetting} onClose={setting.close}>
        {settings.data && <MessageSettingsForm settings={settings.data} onDone={setting.close} />}
      </FormModal>
    </Page>
  )
}
