import { dataOf } from '@jackfield/sdk'
import type { components } from '@jackfield/sdk'
import { useQuery } from '@tanstack/react-query'
import { api } from '../../../api/client'
import { carrierChoices, carriersKey, workspacesKey } from '../../../api/platform'
import { FormFrame, useApiForm } from '../../../design/forms'
import { Answered } from '../../../design/page'
import { MultiPicker } from '../../../design/picker'
import { useTexts } from '../../../i18n/texts'
import { numberCarriersQuery } from '../queries'
import { workspacesTexts } from '../workspaces-texts'

type OwnNumber = components['schemas']['PhoneNumber']

interface FormProps {
  number: OwnNumber
  onDone: () => void
}

/** Which SMS carriers a number has: asked for when the dialog opens. */
export function NumberCarriersForm({ number, onDone }: FormProps) {
  const own = useQuery({ ...numberCarriersQuery(number.workspace_id, number.id), staleTime: 0, gcTime: 0 })
  return (
    <Answered query={own} rows={2}>
      {({ carriers }) => <Chosen number={number} onDone={onDone} chosen={carriers.map(({ id }) => id)} />}
    </Answered>
  )
}

function Chosen({ number, onDone, chosen }: FormProps & { chosen: string[] }) {
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
      <MultiPicker
        source={carrierChoices}
        label={t('carriers')}
        description={t('carriersHint')}
        maxValues={5}
        data-autofocus
        {...form.getInputProps('carrier_ids')}
      />
    </FormFrame>
  )
}
