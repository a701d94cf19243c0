import { dataOf } from '@jackfield/sdk'
import type { components } from '@jackfield/sdk'
import { MultiSelect, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { api } from '../../../api/client'
import { FormFrame, useApiForm } from '../../../design/forms'
import { Answered } from '../../../design/page'
import { useTexts } from '../../../i18n/texts'
import { type Carrier, allCarriersQuery, carriersKey, numberCarriersQuery, workspacesKey } from '../queries'
import { workspacesTexts } from '../workspaces-texts'

type OwnNumber = components['schemas']['PhoneNumber']

interface FormProps {
  number: OwnNumber
  onDone: () => void
}

/** Which SMS carriers a number has: asked for when the dialog opens. */
export function NumberCarriersForm({ number, onDone }: FormProps) {
  const own = useQuery({ ...numberCarriersQuery(number.workspace_id, number.id), staleTime: 0, gcTime: 0 })
  const all = useQuery(allCarriersQuery)
  return (
    <Answered query={all} rows={2}>
      {({ data }) => (
        <Answered query={own} rows={2}>
          {({ carriers }) => (
            <Chosen number={number} onDone={onDone} all={data} chosen={carriers.map(({ id }) => id)} />
          )}
        </Answered>
      )}
    </Answered>
  )
}

function Chosen({ number, onDone, all, chosen }: FormProps & { all: readonly Carrier[]; chosen: string[] }) {
  const t = useTexts(workspacesTexts)
  const sending = useApiForm({
    initialValues: { carrier_ids: chosen },
    send: async ({ carrier_ids }) =>
      dataOf(
        api.PUT('/workspaces/{workspace_id}/phone-numbers/{id}/carriers', {
          params: { path: { workspace_id: number.workspace_id, id: number.id } },
          body: { carrier_ids },
        }),
      ),
    changes: [carriersKey, workspacesKey],
    onDone,
  })
  const { form } = sending
  return (
    <FormFrame api={sending} onCancel={onDone}>
      <Stack gap="xs">
        <MultiSelect
          label={t('carriers')}
          description={t('carriersHint')}
          data={all.map(({ id, title }) => ({ value: id, label: title }))}
          maxValues={5}
          searchable
          data-autofocus
          {...form.getInputProps('carrier_ids')}
        />
        {all.length === 0 && <Text c="dimmed">{t('noCarriers')}</Text>}
      </Stack>
    </FormFrame>
  )
}
