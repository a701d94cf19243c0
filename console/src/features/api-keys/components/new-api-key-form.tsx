import { dataOf } from '@jackfield/sdk'
import { Select, TextInput } from '@mantine/core'
import { api } from '../../../api/client'
import { showSecret } from '../../../design/dialogs'
import { FormFrame, useApiForm } from '../../../design/forms'
import { useTexts } from '../../../i18n/texts'
import { type ApiKey, apiKeysKey } from '../queries'
import { apiKeysTexts } from '../texts'

interface Values extends Record<string, unknown> {
  title: string
  scope: ApiKey['scope']
  role: ApiKey['role']
  /** `auto`: when the key may write. */
  signs: 'auto' | 'yes' | 'no'
}

const initialValues: Values = { title: '', scope: 'full', role: 'editor', signs: 'auto' }

export function NewApiKeyForm({ onDone }: { onDone: () => void }) {
  const t = useTexts(apiKeysTexts)
  const sending = useApiForm({
    initialValues,
    send: async ({ title, signs, ...rights }) => {
      const signing = signs === 'auto' ? {} : { signs_clients: signs === 'yes' }
      return dataOf(api.POST('/api-keys', { body: { ...rights, ...signing, ...(title && { title }) } }))
    },
    changes: [apiKeysKey],
    done: '',
    onDone: ({ api_key }) => {
      onDone()
      showSecret({ title: t('made'), what: t('key'), value: api_key })
    },
  })
  const { form } = sending
  return (
    <FormFrame api={sending} action={t('add')} onCancel={onDone}>
      <TextInput
        label={t('what')}
        description={t('whatHint')}
        data-autofocus
        {...form.getInputProps('title')}
      />
      <Select
        label={t('scope')}
        allowDeselect={false}
        data={[
          { value: 'full', label: t('full') },
          { value: 'any', label: t('any') },
        ]}
        {...form.getInputProps('scope')}
      />
      <Select
        label={t('role')}
        description={t('roleHint')}
        allowDeselect={false}
        data={[
          { value: 'owner', label: t('owner') },
          { value: 'editor', label: t('editor') },
          { value: 'viewer', label: t('viewer') },
        ]}
        {...form.getInputProps('role')}
      />
      <Select
        label={t('signs')}
        description={t('signsHint')}
        allowDeselect={false}
        data={[
          { value: 'auto', label: t('signsAuto') },
          { value: 'yes', label: t('signsYes') },
          { value: 'no', label: t('signsNo') },
        ]}
        {...form.getInputProps('signs')}
      />
    </FormFrame>
  )
}
