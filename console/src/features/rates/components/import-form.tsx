import { ApiError, dataOf, formOf } from '@jackfield/sdk'
import { Alert, FileInput, List, ScrollArea, Text } from '@mantine/core'
import { useState } from 'react'
import { fieldMessage } from '../../../api/errors'
import { api } from '../../../api/client'
import { rateDecksKey } from '../../../api/platform'
import { FormFrame, useApiForm } from '../../../design/forms'
import { countOf } from '../../../design/values'
import { common } from '../../../i18n/common'
import { useTexts } from '../../../i18n/texts'
import type { RateDeck } from '../queries'
import { ratesTexts } from '../texts'

interface Values extends Record<string, unknown> {
  file: File | null
}

/** The API reports at most this many (docs/operate/prices.md). */
const mostProblems = 50

export function ImportForm({ deck, onDone }: { deck: RateDeck; onDone: () => void }) {
  const [t, words] = [useTexts(ratesTexts), useTexts(common)]
  const [problems, setProblems] = useState<readonly string[]>([])
  const sending = useApiForm<Values, RateDeck>({
    initialValues: { file: null },
    send: async ({ file }) => {
      setProblems([])
      try {
        const { id } = deck
        const body = formOf<{ file: string }>({ file: file ?? new Blob() })
        const imported = await dataOf(api.PUT('/rate-decks/{id}/rates', { params: { path: { id } }, body }))
        return imported
      } catch (error) {
        setProblems(linesOf(error))
        throw error
      }
    },
    changes: [rateDecksKey],
    done: '',
    onDone,
    // Errors of single lines are listed below the field.
    fieldOf: (field) => (field === 'file' ? field : 'lines'),
  })
  const { form } = sending
  return (
    <FormFrame
      api={problems.length > 0 ? { ...sending, problem: null } : sending}
      action={t('import')}
      onCancel={onDone}
    >
      <Text size="sm">{t('importHint', { rates: countOf(deck.rates) })}</Text>
      <FileInput
        label={t('file')}
        description={t('fileHint')}
        placeholder={t('chooseFile')}
        required
        clearable
        clearButtonProps={{ 'aria-label': words('clear') }}
        accept=".csv,text/csv"
        data-autofocus
        {...form.getInputProps('file')}
      />
      {problems.length > 0 && <Problems problems={problems} />}
    </FormFrame>
  )
}

function Problems({ problems }: { problems: readonly string[] }) {
  const t = useTexts(ratesTexts)
  const count = problems.length
  return (
    <Alert color="red" role="alert" title={t('fileIsWrong', { count })}>
      <ScrollArea.Autosize mah={240} viewportProps={{ tabIndex: 0, role: 'region', 'aria-label': t('file') }}>
        <List size="sm">
          {problems.map((problem) => (
            <List.Item key={problem}>{problem}</List.Item>
          ))}
        </List>
      </ScrollArea.Autosize>
      {count >= mostProblems && <Text size="sm">{t('firstProblems', { count })}</Text>}
    </Alert>
  )
}

/** Errors of single lines; errors of the whole file are shown at its field. */
function linesOf(error: unknown): string[] {
  if (!(error instanceof ApiError)) return []
  return error.errors.filter(({ field }) => field.startsWith('file.')).map(fieldMessage)
}
