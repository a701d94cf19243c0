import { dataOf } from '@jackfield/sdk'
import { Alert, Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { api } from '../../../api/client'
import { useAction } from '../../../api/use-action'
import { FormFrame, useApiForm } from '../../../design/forms'
import { useTexts } from '../../../i18n/texts'
import { type NumberDetail, numbersKey } from '../queries'
import { numbersTexts } from '../texts'

/** Requests a verification code for a number, or cancels the request. */
export function NumberVerification({ number: { id } }: { number: NumberDetail }) {
  const t = useTexts(numbersTexts)
  const [isSent, setSent] = useState(false)
  const params = { path: { id } }
  const sending = useAction({
    run: async (channel: 'call' | 'text') =>
      dataOf(api.POST('/phone-numbers/{id}/verification', { params, body: { channel } })),
    onDone: () => setSent(true),
  })
  const checking = useApiForm({
    initialValues: { code: '' },
    send: async (body) => dataOf(api.POST('/phone-numbers/{id}/verification/check', { params, body })),
    changes: [numbersKey],
    done: t('verified'),
  })
  return (
    <Alert color="yellow">
      <Stack>
        <Text fw={600}>{t('unverified')}</Text>
        <Text size="sm">{t('unverifiedHint')}</Text>
        <Group>
          <Button variant="default" loading={sending.isPending} onClick={() => sending.mutate('call')}>
            {t('verifyByCall')}
          </Button>
          <Button variant="default" loading={sending.isPending} onClick={() => sending.mutate('text')}>
            {t('verifyByText')}
          </Button>
        </Group>
        {isSent && (
          <FormFrame api={checking} action={t('verify')}>
            <TextInput
              label={t('verificationCode')}
              description={t('verificationSent')}
              inputMode="numeric"
              autoComplete="one-time-code"
              maxLength={6}
              {...checking.form.getInputProps('code')}
            />
          </FormFrame>
        )}
      </Stack>
    </Alert>
  )
}
