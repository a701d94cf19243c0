import { dataOf } from '@jackfield/sdk'
import { Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconAdjustments, IconTrash } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '../../../api/client'
import type { BulkAction } from '../../../design/bulk-actions'
import { time } from '../../../design/column-kinds'
import { DayRangeFields } from '../../../design/day-range'
import { confirmDelete } from '../../../design/dialogs'
import { FormModal } from '../../../design/form-modal'
import { Picker } from '../../../design/picker'
import { type FilterProps, resourcePage } from '../../../design/resource-page'
import { PhoneNumber } from '../../../design/values'
import { common } from '../../../i18n/common'
import { textOf, useTexts } from '../../../i18n/texts'
import { usePolling } from '../../../live/live'
import { MessageSettingsForm } from '../components/message-settings-form'
import { OptOutForm } from '../components/opt-out-form'
import { type OptOut, messageSettingsQuery, numberChoices, optOutsKey } from '../queries'
import { type OptOutsSearch, optOutFilterOf } from '../search'
import { messageSettingsTexts, optOutTexts } from '../texts'

/** Polling interval: opt-outs are not streamed. */
const askedEveryMs = 10_000

const nameOf = ({ client_number }: OptOut) => textOf(optOutTexts, 'name', { number: client_number })

export const OptOutsPage = resourcePage({
  path: '/opt-outs',
  texts: optOutTexts,
  useInterval: () => usePolling() || askedEveryMs,
  columns: (t) => [
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
    time('created_at', t('since'), { sort: true }),
  ],
  idOf: ({ phone_number_id, client_number }) => `${phone_number_id} ${client_number}`,
  nameOf,
  form: ({ close }) => <OptOutForm onDone={close} />,
  Filters,
  PageActions: Settings,
  useRemove,
  csv: optOutFilterOf,
  useBulk,
})

function Filters({ search, onChange }: FilterProps<OptOutsSearch>) {
  const t = useTexts(optOutTexts)
  return (
    <>
      <Picker
        label={t('number')}
        placeholder={t('all')}
        clearable
        source={numberChoices}
        value={search.number ?? null}
        onChange={(number) => onChange({ number: number ?? undefined })}
        w={220}
      />
      <DayRangeFields value={search} onChange={onChange} />
    </>
  )
}

/** Of the words by which clients opt out. */
function Settings() {
  const title = useTexts(messageSettingsTexts)('title')
  const { data } = useQuery(messageSettingsQuery)
  const [isOpen, { open, close }] = useDisclosure()
  return (
    <>
      <Button variant="default" leftSection={<IconAdjustments size={16} />} disabled={!data} onClick={open}>
        {title}
      </Button>
      <FormModal title={title} opened={isOpen} onClose={close}>
        {data && <MessageSettingsForm settings={data} onDone={close} />}
      </FormModal>
    </>
  )
}

const remove = async ({ phone_number_id, client_number }: OptOut) => {
  const params = { path: { phone_number_id, client_number } }
  return dataOf(api.DELETE('/opt-outs/{phone_number_id}/{client_number}', { params }))
}

function useBulk(): readonly BulkAction<OptOut>[] {
  const [t, words] = [useTexts(optOutTexts), useTexts(common)]
  return [
    {
      ...{ key: 'delete', label: words('delete'), icon: IconTrash, isDangerous: true },
      question: (count) => t('removeQuestion', { count }),
      ...{ consequence: t('removeConsequence'), run: remove, changes: [optOutsKey] },
    },
  ]
}

function useRemove(): (optOut: OptOut) => void {
  const t = useTexts(optOutTexts)
  const client = useQueryClient()
  return (optOut) => {
    confirmDelete({
      name: nameOf(optOut),
      consequence: t('removeConsequence'),
      run: async () => remove(optOut),
      onDone: () => void client.invalidateQueries({ queryKey: optOutsKey }),
    })
  }
}
