/** Imports rows from a CSV file, or from what is pasted: what would be done is shown first, and what is wrong by line. */
import { dataOf, formOf } from '@jackfield/sdk'
import { Alert, Button, Checkbox, FileInput, Group, Select, Stack, Text, Textarea } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { type QueryKey, keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useDebouncedValue } from '@mantine/hooks'
import { useState } from 'react'
import { api } from '../api/client'
import { messageOf } from '../api/errors'
import { loadErrorWords } from '../api/problems/load'
import type { ImportPath } from '../api/resources'
import { common } from '../i18n/common'
import { useTexts } from '../i18n/texts'
import { ImportPreview } from './import-preview'
import { designTexts } from './texts'

interface Choices {
  existing: 'skip' | 'update'
  faulty: 'refuse' | 'skip'
  /** Columns by heading; '' leaves one out. */
  mapping: Readonly<Record<string, string>>
}

/** @throws {ApiError} */
async function send(path: ImportPath, file: Blob, { mapping, ...choices }: Choices, dry_run: boolean) {
  const query = { ...choices, dry_run, mapping: JSON.stringify(mapping) }
  const body = formOf<{ file: string }>({ file: new File([file], 'rows.csv', { type: 'text/csv' }) })
  // A dry run answers what is wrong in the API's words.
  await loadErrorWords()
  // One of the paths, for its types: all answer alike.
  return dataOf(api.POST(`${path}/import` as '/contacts/import', { params: { query }, body }))
}

interface ImportFormProps {
  path: ImportPath
  /** Keys of the queries that become stale. */
  changes: readonly QueryKey[]
  onDone: () => void
}

export function ImportForm({ path, changes, onDone }: ImportFormProps) {
  const [t, words] = [useTexts(designTexts.csv), useTexts(common)]
  const client = useQueryClient()
  const [file, setFile] = useState<File | null>(null)
  const [text, setText] = useState('')
  const [pasted] = useDebouncedValue(text, 500)
  const [choices, setChoices] = useState<Choices>({ existing: 'skip', faulty: 'refuse', mapping: {} })
  const content = file ?? (pasted.trim() ? new Blob([pasted]) : null)
  const chosen = file ? `${file.name} ${file.size} ${file.lastModified}` : pasted
  const trial = useQuery({
    queryKey: ['import', path, chosen, choices],
    queryFn: async () => send(path, content ?? new Blob(), choices, true),
    enabled: content !== null,
    ...{ placeholderData: keepPreviousData, retry: false, gcTime: 0 },
  })
  const sending = useMutation({
    mutationFn: async () => send(path, content ?? new Blob(), choices, false),
    onSuccess: ({ created, updated }) => {
      notifications.show({ message: t('imported', { created, updated }), color: 'green' })
      onDone()
    },
    onSettled: async () =>
      Promise.all(changes.map(async (queryKey) => client.invalidateQueries({ queryKey }))),
  })
  const report = content === null || trial.error ? undefined : trial.data
  const count = report ? report.created + report.updated : 0
  const isBlocked = !report || count === 0 || (report.failed > 0 && choices.faulty === 'refuse')
  const problem = sending.error ?? (content === null ? null : trial.error)
  return (
    <Stack>
      <Text size="sm">{t('hint')}</Text>
      <FileInput
        label={t('file')}
        placeholder={words('chooseFile')}
        clearable
        clearButtonProps={{ 'aria-label': words('clear') }}
        accept=".csv,text/csv,text/tab-separated-values"
        value={file}
        onChange={(next) => {
          setFile(next)
          setChoices((now) => ({ ...now, mapping: {} }))
        }}
        data-autofocus
      />
      {!file && (
        <Textarea
          label={t('paste')}
          autosize
          minRows={3}
          maxRows={8}
          value={text}
          onChange={({ currentTarget: { value } }) => setText(value)}
        />
      )}
      {Boolean(problem) && (
        <Alert color="red" role="alert">
          {messageOf(problem)}
        </Alert>
      )}
      {report && (
        <ImportPreview
          report={report}
          onMap={(header, column) =>
            setChoices((now) => ({ ...now, mapping: { ...now.mapping, [header]: column } }))
          }
        />
      )}
      {content !== null && (
        <Group align="flex-end">
          <Select
            label={t('existing')}
            data={[
              { value: 'skip', label: t('existingSkip') },
              { value: 'update', label: t('existingUpdate') },
            ]}
            value={choices.existing}
            allowDeselect={false}
            onChange={(value) =>
              setChoices((now) => ({ ...now, existing: value === 'update' ? 'update' : 'skip' }))
            }
          />
          <Checkbox
            label={t('skipFaulty')}
            checked={choices.faulty === 'skip'}
            mb="xs"
            onChange={({ currentTarget: { checked } }) =>
              setChoices((now) => ({ ...now, faulty: checked ? 'skip' : 'refuse' }))
            }
          />
        </Group>
      )}
      <Group justify="flex-end">
        <Button variant="default" onClick={onDone}>
          {words('cancel')}
        </Button>
        <Button
          disabled={isBlocked || trial.isFetching}
          loading={sending.isPending}
          onClick={() => sending.mutate()}
        >
          {report ? t('importCount', { count }) : t('import')}
        </Button>
      </Group>
    </Stack>
  )
}
