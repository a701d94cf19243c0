import { dataOf } from '@jackfield/sdk'
import { Grid, Paper, Stack, Text, TextInput, Title } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../../../api/client'
import { complain } from '../../../api/use-action'
import { isChanged } from '../../../design/form-values'
import { FormFrame, useApiForm } from '../../../design/forms'
import { useLeaveGuard } from '../../../design/leave-guard'
import { Page } from '../../../design/page'
import { UpLink } from '../../../design/up-link'
import { useTexts } from '../../../i18n/texts'
import { InstructionsChat } from '../components/instructions-chat'
import { WordingFields } from '../components/wording-fields'
import { type Draft, voiceAgentsKey } from '../queries'
import { voiceAgentsTexts } from '../texts'

export function NewVoiceAgentPage() {
  const t = useTexts(voiceAgentsTexts)
  const navigate = useNavigate()
  const [draft, setDraft] = useState<Draft | null>(null)
  const sending = useApiForm({
    initialValues: { name: '', greeting_message: '', instructions: '' },
    send: async ({ name, greeting_message, instructions }) => {
      const from = draft && { conversation: draft.conversation, response_id: draft.response_id }
      const made = await dataOf(api.POST('/voice-agents', { body: { name, instructions, ...from } }))
      if (greeting_message !== '') await greet(made.id, greeting_message)
      return made
    },
    changes: [voiceAgentsKey],
    done: t('made'),
    onDone: ({ id }) => void navigate({ to: '/voice-agents/$id', params: { id } }),
  })
  const { form } = sending
  useLeaveGuard({ hasChanged: () => isChanged(form) })
  const use = (used: Draft) => {
    setDraft(used)
    form.setFieldValue('instructions', used.instructions)
    if (used.greeting_message !== null) form.setFieldValue('greeting_message', used.greeting_message)
  }
  return (
    <Page title={t('add')} up={<UpLink to="/voice-agents">{t('heading')}</UpLink>} description={t('newHint')}>
      <Grid gap="xl">
        <Grid.Col span={{ base: 12, lg: 7 }}>
          <FormFrame
            api={sending}
            action={t('make')}
            onCancel={() => void navigate({ to: '/voice-agents', search: {} })}
          >
            <TextInput
              label={t('name')}
              required
              maxLength={30}
              data-autofocus
              {...form.getInputProps('name')}
            />
            <WordingFields
              greeting={{
                ...form.getInputProps('greeting_message'),
                value: form.values.greeting_message,
                description: t('greetingOfNew'),
              }}
              instructions={{ ...form.getInputProps('instructions'), value: form.values.instructions }}
            />
          </FormFrame>
        </Grid.Col>
        <Grid.Col span={{ base: 12, lg: 5 }}>
          <Paper withBorder p="md">
            <Stack>
              <div>
                <Title order={2} size="h4">
                  {t('haveWritten')}
                </Title>
                <Text c="dimmed">{t('haveWrittenHint')}</Text>
              </div>
              <InstructionsChat onUse={use} />
            </Stack>
          </Paper>
        </Grid.Col>
      </Grid>
    </Page>
  )
}

/** The voice agent exists by then: later errors are reported and can be corrected on its page. */
async function greet(id: string, greeting_message: string): Promise<void> {
  const body = { version: 1, greeting_message }
  await dataOf(api.PATCH('/voice-agents/{id}/settings', { params: { path: { id } }, body })).catch(complain)
}
