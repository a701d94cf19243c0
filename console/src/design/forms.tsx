/** Forms that show the API's errors at the fields they belong to. */
import './forms.css'
import { Alert, Button, Group, Loader, Stack } from '@mantine/core'
import { type FormErrors, type UseFormInput, type UseFormReturnType, useForm } from '@mantine/form'
import { notifications } from '@mantine/notifications'
import { ApiError } from '@jackfield/sdk'
import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query'
import { type SyntheticEvent, type ReactNode, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { fieldMessage, messageOf } from '../api/errors'
import { withWrittenNumbers } from '../api/written-number'
import { common } from '../i18n/common'
import { textOf, useTexts } from '../i18n/texts'
import { type Changed, changedFrom, isChanged, useTakeOver } from './form-values'

export { FormModal } from './form-modal'

interface ApiFormOptions<Values extends Record<string, unknown>, Answer> extends UseFormInput<Values> {
  /** @param changed for existing objects: only changed fields are sent */
  send: (values: Values, changed: Changed<Values>) => Promise<Answer>
  /** Fields that hold telephone numbers [none]: `send` gets them without separators. */
  phoneNumbers?: readonly (keyof Values & string)[]
  /** Keys of the queries that become stale. */
  changes?: readonly QueryKey[]
  /** @param sent the submitted values, whatever the form holds by now */
  onDone?: (answer: Answer, sent: Values) => void
  /** Message on success; "Saved" by default, none with ''. */
  done?: string
  /** Maps an API field to a form field of another name. */
  fieldOf?: (apiField: string) => string
  /** `updated_at` of the object: when it changes, fields that the user has not edited are refreshed. */
  version?: string
}

export interface ApiForm<Values extends Record<string, unknown>> {
  form: UseFormReturnType<Values>
  /** An error that belongs to no field. */
  problem: string | null
  isSending: boolean
  submit: (event?: SyntheticEvent<HTMLFormElement>) => void
  /** Props for the `<form>`. */
  ref: React.RefObject<HTMLFormElement | null>
}

/** A form that is sent to the API. API errors are shown at their field, which gets the focus. */
export function useApiForm<Values extends Record<string, unknown>, Answer = unknown>({
  send,
  phoneNumbers = [],
  changes = [],
  onDone,
  done,
  fieldOf = (field) => field,
  version,
  ...input
}: ApiFormOptions<Values, Answer>): ApiForm<Values> {
  const client = useQueryClient()
  const form = useForm<Values>(input)
  useTakeOver(form, input.initialValues, version)
  const ref = useRef<HTMLFormElement>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const sending = useMutation({
    mutationFn: async (written: Values) => {
      const values = withWrittenNumbers(written, phoneNumbers)
      return send(values, changedFrom(form.getInitialValues(), values))
    },
    onSuccess: (answer, sent) => {
      const said = done ?? savedWords(answer)
      if (said) notifications.show({ message: said, color: 'green' })
      form.resetDirty(sent)
      onDone?.(answer, sent)
    },
    onError: (error) => refuse(error),
    onSettled: async () =>
      Promise.all(changes.map(async (queryKey) => client.invalidateQueries({ queryKey }))),
  })

  function showAt(errors: FormErrors): readonly HTMLElement[] {
    flushSync(() => form.setErrors(errors))
    const shown = [...(ref.current?.querySelectorAll<HTMLElement>('[aria-invalid="true"]') ?? [])]
    shown[0]?.focus()
    return shown
  }

  function refuse(error: unknown): void {
    const fields = error instanceof ApiError ? error.errors : []
    const errors = Object.fromEntries(
      fields.map((problem) => [fieldOf(problem.field), fieldMessage(problem)]),
    )
    const shown = showAt(errors)
    // An error of a field that this form does not show must still be visible.
    setProblem(shown.length >= fields.length && fields.length > 0 ? null : messageOf(error))
  }

  return {
    form,
    problem,
    isSending: sending.isPending,
    ref,
    submit: form.onSubmit((values) => {
      setProblem(null)
      if (!sending.isPending) sending.mutate(values)
    }, showAt),
  }
}

/** Names what was made or saved, where the API's answer has a name. */
function savedWords(answer: unknown): string {
  if (typeof answer !== 'object' || answer === null) return textOf(common, 'saved')
  const row = answer as Readonly<Record<string, unknown>>
  const name = ['title', 'name', 'display_name', 'username'].map((field) => row[field]).find(Boolean)
  if (typeof name !== 'string') return textOf(common, 'saved')
  const isNew = 'created_at' in row && row['created_at'] === row['updated_at']
  return textOf(common, isNew ? 'madeNamed' : 'savedNamed', { name })
}

interface FormFrameProps<Values extends Record<string, unknown>> {
  api: ApiForm<Values>
  children: ReactNode
  /** Label of the submit button; "Save" by default. */
  action?: string
  onCancel?: (() => void) | undefined
  /** The button stays disabled until something is changed. */
  onlyChanged?: boolean
  /** Another reason to disable the button. */
  disabled?: boolean
  /** The submit button is red. */
  isDangerous?: boolean
}

export function FormFrame<Values extends Record<string, unknown>>({
  api,
  children,
  action,
  onCancel,
  onlyChanged = false,
  disabled = false,
  isDangerous = false,
}: FormFrameProps<Values>) {
  const t = useTexts(common)
  const isWaiting = disabled || api.isSending || (onlyChanged && !isChanged(api.form))
  const submit = (event: SyntheticEvent<HTMLFormElement>) =>
    isWaiting ? event.preventDefault() : api.submit(event)
  return (
    <form ref={api.ref} onSubmit={submit} noValidate>
      <Stack>
        {api.problem && (
          <Alert color="red" role="alert">
            {api.problem}
          </Alert>
        )}
        {children}
        <Group justify="flex-end" className="jf-form-buttons">
          {onCancel && (
            <Button variant="default" onClick={onCancel}>
              {t('cancel')}
            </Button>
          )}
          {/* The browser's `disabled` would take the focus away with every save. */}
          <Button
            type="submit"
            {...(isDangerous && { color: 'red' })}
            aria-disabled={isWaiting}
            data-disabled={isWaiting || undefined}
            leftSection={api.isSending && <Loader size="xs" color="currentColor" />}
          >
            {action ?? t('save')}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
