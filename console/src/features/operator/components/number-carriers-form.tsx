import { dataOf } from '@jackfield/sdk'
import type { components } from '@jackfield/sdk'
import { TagsInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { api } from '../../../api/client'
import { carrierChoices, carriersKey, workspacesKey } from '../../../api/platform'
import { FormFrame, useApiForm } from '../../../design/forms'
import { Answered } from '../../../design/page'
import { MultiPicker } from '../../../design/picker'
import { useTexts } from '../../../i18n/texts'
import { numberCarriersQuery, numberOriginatorsQuery } from '../queries'
import { workspacesTexts } from '../texts'

type OwnNumber = components['schemas']['PhoneNumber']

interface FormProps {
  number: OwnNumber
  onDone: () => void
}

/** SMS carriers of a number, loaded when the dialog opens. */
export function NumberCarriersForm({ number, onDone }: FormProps) {
  const fresh = { staleTime: 0, gcTime: 0 }
  const own = useQuery({ ...numberCarriersQuery(number.workspace_id, number.id), ...fresh })
  const names = useQuery({ ...numberOriginatorsQuery(number.workspace_id, number.id), ...fresh })
  return (
    <Answered query={own} rows={2}>
      {({ carriers }) => (
        <Answered query={names} rows={2}>
          {({ originators }) => (
            <Chosen {...{ number, onDone, originators }} chosen={carriers.map(({ id }) => id)} />
          )}
        </Answered>
      )}
    </Answered>
  )
}

function Chosen({
  number,
  onDone,
  chosen,
  originators: kept,
}: FormProps & Record<'chosen' | 'originators', string[]>) {
  const t = useTexts(workspacesTexts)
  const sending = useApiForm({
    initialValues: { carrier_ids: chosen, originators: kept },
    send: async ({ carrier_ids, originators }) => {
      const params = { path: { workspace_id: number.workspace_id, id: number.id } }
      if (originators.join('\n') !== kept.join('\n')) {
        await dataOf(
          api.PUT('/workspaces/{workspace_id}/phone-numbers/{id}/originators', {
            params,
            body: { originators },
          }),
        )
      }
      return dataOf(
        api.PUT('/workspaces/{workspace_id}/phone-numbers/{id}/carriers', { params, body: { carrier_ids } }),
      )
    },
    fieldOf: (field) => field.replace(/^(originators|carrier_ids)\.\d+$/, '$1'),
    changes: [carriersKey, workspacesKey],
    onDone,
  })
  const { form } = sending
  return (
    <FormFrame api={sending} onCancel={onDone}>
      <MultiPicker
        source={carrierChoices}
        label={t('carriers')}
        description={t('carriersHint')}
        maxValues={5}
        data-autofocus
        {...form.getInputProps('carrier_ids')}
      />
      <TagsInput
        label={t('originators')}
        description={t('originatorsHint')}
        maxTags={20}
        {...form.getInputProps('originators')}
      />
    </FormFrame>
  )
}
