import { dataOf } from '@jackfield/sdk'
import { NumberInput, SegmentedControl, SimpleGrid, Switch, Text, TextInput, Textarea } from '@mantine/core'
import { api } from '../../../api/client'
import { type ApiForm, FormFrame, useApiForm } from '../../../design/forms'
import { useTexts } from '../../../i18n/texts'
import { carriersKey, checklistKey } from '../../../api/platform'
import type { Carrier } from '../queries'
import { carriersTexts } from '../texts'
import { PasswordField } from '../../../design/password-field'

interface Values extends Record<string, unknown> {
  kind: 'smpp' | 'http'
  title: string
  throughput: number
  window_size: number
  smpp: { host: string; port: number; tls: boolean; system_id: string; password: string }
  http: { url: string; body: string; message_id: string }
}

const initialValues: Values = {
  ...{ kind: 'smpp', title: '', throughput: 100, window_size: 10 },
  smpp: { host: '', port: 2775, tls: false, system_id: '', password: '' },
  http: {
    url: '',
    body: '{"to": "{{to}}", "from": "{{from}}", "text": "{{body}}"}',
    message_id: '/id',
  },
}

export function NewCarrierForm({
  onDone,
  onCancel,
}: {
  onDone: (made: Carrier) => void
  onCancel: () => void
}) {
  const t = useTexts(carriersTexts)
  const sending: ApiForm<Values> = useApiForm<Values, Carrier>({
    initialValues,
    send: async ({ smpp, http, ...common }) =>
      dataOf(
        api.POST('/carriers', {
          body: { ...common, is_active: true, settings: common.kind === 'smpp' ? smpp : http },
        }),
      ),
    changes: [carriersKey, checklistKey],
    // Send only the fields of the chosen kind.
    fieldOf: (field) => field.replace(/^settings\./, `${sending.form.values.kind}.`),
    onDone,
  })
  const { form } = sending
  return (
    <FormFrame api={sending} action={t('add')} onCancel={onCancel}>
      <SegmentedControl
        aria-label={t('kind')}
        data={[
          { value: 'smpp', label: t('smpp') },
          { value: 'http', label: t('http') },
        ]}
        {...form.getInputProps('kind')}
      />
      <TextInput label={t('title')} required data-autofocus {...form.getInputProps('title')} />
      {form.values.kind === 'smpp' ? (
        <>
          <SimpleGrid cols={{ base: 1, sm: 2 }}>
            <TextInput label={t('host')} required {...form.getInputProps('smpp.host')} />
            <NumberInput label={t('port')} required {...form.getInputProps('smpp.port')} />
            <TextInput
              label={t('systemId')}
              required
              autoComplete="off"
              {...form.getInputProps('smpp.system_id')}
            />
            <PasswordField
              label={t('password')}
              autoComplete="off"
              {...form.getInputProps('smpp.password')}
            />
          </SimpleGrid>
          <Switch label={t('tls')} {...form.getInputProps('smpp.tls', { type: 'checkbox' })} />
        </>
      ) : (
        <>
          <TextInput label={t('url')} type="url" required {...form.getInputProps('http.url')} />
          <Textarea
            label={t('body')}
            description={t('bodyHint')}
            required
            autosize
            minRows={2}
            {...form.getInputProps('http.body')}
          />
          <TextInput
            label={t('messageId')}
            description={t('messageIdHint')}
            {...form.getInputProps('http.message_id')}
          />
        </>
      )}
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <NumberInput label={t('throughput')} required {...form.getInputProps('throughput')} />
        <NumberInput label={t('window')} required {...form.getInputProps('window_size')} />
      </SimpleGrid>
      <Text size="sm" c="dimmed">
        {t('newHint')}
      </Text>
    </FormFrame>
  )
}
