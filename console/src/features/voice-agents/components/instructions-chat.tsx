/** A chat with a text model that writes and revises the instructions. */
import { dataOf } from '@jackfield/sdk'
import { Button, Paper, Stack, Text, Textarea } from '@mantine/core'
import { useState } from 'react'
import { api } from '../../../api/client'
import { FormFrame, useApiForm } from '../../../design/forms'
import { useTexts } from '../../../i18n/texts'
import type { Draft } from '../queries'
import { voiceAgentsTexts } from '../texts'

interface Exchange {
  prompt: string
  draft: Draft
}

export function InstructionsChat({ onUse }: { onUse: (draft: Draft) => void }) {
  const t = useTexts(voiceAgentsTexts)
  const [exchanges, setExchanges] = useState<readonly Exchange[]>([])
  const last = exchanges.at(-1)?.draft
  const sending = useApiForm({
    initialValues: { prompt: '' },
    send: async ({ prompt }) => {
      const goesOn = last && { conversation: last.conversation, response_id: last.response_id }
      const draft = await dataOf(api.POST('/voice-agents/instructions', { body: { prompt, ...goesOn } }))
      return { prompt, draft }
    },
    done: '',
    onDone: (exchange) => {
      setExchanges((before) => [...before, exchange])
      sending.form.setFieldValue('prompt', '')
    },
  })
  return (
    <Stack>
      <Stack gap="sm" role="log" aria-label={t('chat')}>
        {exchanges.map(({ prompt, draft }) => (
          <Stack key={draft.response_id} gap="xs">
            <Text size="sm" c="dimmed">
              {prompt}
            </Text>
            <Paper withBorder p="sm">
              <Stack gap="sm" align="flex-start">
                {draft.greeting_message && <Text fs="italic">{draft.greeting_message}</Text>}
                <Text style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>{draft.instructions}</Text>
                <Button size="xs" variant="default" onClick={() => onUse(draft)}>
                  {t('useDraft')}
                </Button>
              </Stack>
            </Paper>
          </Stack>
        ))}
      </Stack>
      <FormFrame api={sending} action={t(last ? 'changeDraft' : 'writeDraft')}>
        <Textarea
          label={t(last ? 'whatToChange' : 'whatFor')}
          placeholder={t(last ? 'whatToChangeExample' : 'whatForExample')}
          autosize
          minRows={2}
          maxRows={8}
          maxLength={2000}
          {...sending.form.getInputProps('prompt')}
        />
      </FormFrame>
    </Stack>
  )
}
