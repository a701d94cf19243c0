/** Forms whose errors are the API's own, at the fields that they belong to. */
import { Alert, Button, Group, Stack } from '@mantine/core'
import { type UseFormInput, type UseFormReturnType, useForm } from '@mantine/form'
import { notifications } from '@mantine/notifications'
import { ApiError } from '@jackfield/sdk'
import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query'
import { type SyntheticEvent, type ReactNode, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { messageOf } from '../api/errors'
import { common } from '../i18n/common'
import { textOf, useTexts } from '../i18n/texts'

export { FormModal } from './form-modal'

interface ApiFormOptions<Values extends Record<string, unknown>, Answer> extends UseFormInput<Values> {
  send: (values: Values) => Promise<Answer>
  /** Keys of queries whose answers are old afterwards. */
  changes?: readonly QueryKey[]
  onDone?: (answer: Answer) => void
  /** Said when it has worked; "Saved" without, nothing with ''. */
  done?: string
  /** Field of the form, for a field of the API that is called otherwise there. */
  fieldOf?: (apiField: string) => string
}

export interface ApiForm<Values extends Record<string, unknown>> {
  form: UseFormReturnType<Values>
  /** What is wrong that belongs to no field. */
  problem: string | null
  isSending: boolean
  submit: (event?: SyntheticEvent<HTMLFormElement>) => void
  /** Put on the `<form>`. */
  ref: React.RefObject<HTMLFormElement | null>
}

/** A form that is sent to the API. What the API refuses stands at the field, which has the focus then. */
export function useApiForm<Values extends Record<string, unknown>, Answer = unknown>({
  send,
  changes = [],
  onDone,
  done,
  fieldOf = (field) => field,
  ...input
}: ApiFormOptions<Values, Answer>): ApiForm<Values> {
  const client = useQueryClient()
  const form = useForm<Values>(input)
  const ref = useRef<HTMLFormElement>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const sending = useMutation({
    mutationFn: send,
    onSuccess: (answer) => {
      const said = done ?? textOf(common, 'saved')
      if (said) notifications.show({ message: said, color: 'green' })
      form.resetDirty()
      onDone?.(answer)
    },
    onError: (error) => refuse(error),
    onSettled: async () =>
      Promise.all(changes.map(async (queryKey) => client.invalidateQueries({ queryKey }))),
  })

  function refuse(error: unknown): void {
    const fields = error instanceof ApiError ? error.errors : []
    const errors = Object.fromEntries(
      fields.map(({ field, messages }) => [fieldOf(field), messages.join(', ')]),
    )
    flushSync(() => form.setErrors(errors))
    // A field that this form does not show would otherwise be wrong unseen.
    const shown = ref.current?.querySelectorAll<HTMLElement>('[aria-invalid="true"]') ?? []
    shown[0]?.focus()
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
    }),
  }
}

interface FormFrameProps<Values extends Record<string, unknown>> {
  api: ApiForm<Values>
  children: ReactNode
  /** Label of the button that sends; "Save" without. */
  action?: string
  onCancel?: (() => void) | undefined
  /** The button waits for a change. */
  onlyChanged?: boolean
  /** The button waits for something else. */
  disabled?: boolean
}

export function FormFrame<Values extends Record<string, unknown>>({
  api,
  children,
  action,
  onCancel,
  onlyChanged = false,
  disabled = false,
}: FormFrameProps<Values>) {
  const t = useTexts(common)
  return (
    <form ref={api.ref} onSubmit={api.submit} noValidate>
      <Stack>
        {api.problem && (
          <Alert color="red" role="alert">
            {api.problem}
          </Alert>
        )}
        {children}
        <Group justify="flex-end">
          {onCancel && (
            <Button variant="default" onClick={onCancel}>
              {t('cancel')}
            </Button>
          )}
          <Button
            type="submit"
            loading={api.isSending}
            disabled={disabled || (onlyChanged && !api.form.isDirty())}
          >
            {action ?? t('save')}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
