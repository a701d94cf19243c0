/** Runs a trial call through the unsaved flow, without a telephone. */
import { ApiError, dataOf } from '@jackfield/sdk'
import { Alert, Button, NumberInput, Stack, Text, TextInput, Textarea, Title } from '@mantine/core'
import { IconPlayerPlay } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { type SyntheticEvent, useEffect, useRef } from 'react'
import { api } from '../../../api/client'
import { fieldMessage, messageOf } from '../../../api/errors'
import { partOf } from '../../../design/part-of'
import { useTexts } from '../../../i18n/texts'
import { type Simulation, type TrialForm, WrongJson, requestOf } from '../model/trial'
import { type Problem, problemsIn } from '../model/problems'
import { sentSteps } from '../model/step-kinds'
import type { Step } from '../model/steps'
import type { Flow } from '../queries'
import { tryTexts } from '../texts'
import { useEditing } from './editing'
import { TriedWay } from './tried-way'
import { inPlace } from './place-words'
import { TrialAnswers } from './trial-answers'

/** Its sound is loaded only here. */
const FlowCall = partOf(async () => import('./flow-call'), 'FlowCall')

interface TryPanelProps {
  flow: Flow
  /** Kept outside, so that the input survives closing the panel. */
  form: TrialForm
  onForm: (form: TrialForm) => void
  result: Simulation | null
  onResult: (result: Simulation | null) => void
}

export function TryPanel({ flow, form, onForm, result, onResult }: TryPanelProps) {
  const t = useTexts(tryTexts)
  const { state } = useEditing()
  // The API's errors refer to the indexes of the steps that were sent.
  const tried = useRef(state.steps)
  const trying = useMutation({
    mutationFn: async () =>
      dataOf(
        api.POST('/call-flows/simulate', {
          body: {
            trigger_type: flow.trigger_type,
            nodes: sentSteps(tried.current),
            ...requestOf(form, tried.current),
          },
        }),
      ),
    onMutate: () => {
      tried.current = state.steps
      onResult(null)
    },
    onSuccess: onResult,
  })
  const way = useRef<HTMLDivElement>(null)
  // The form is long: the result is below it.
  useEffect(() => {
    if (trying.isSuccess) way.current?.scrollIntoView({ block: 'start', behavior: calmly() })
  }, [trying.isSuccess, result])
  const errors = errorsIn(trying.error, (message) => t('tryWrongJson', { message }), tried.current)
  const put = (change: Partial<TrialForm>) => onForm({ ...form, ...change })
  const submit = (event: SyntheticEvent) => {
    event.preventDefault()
    trying.mutate()
  }
  return (
    <Stack gap="sm">
      {flow.trigger_type === 'inbound' && (
        <>
          <Title order={3} size="h5">
            {t('callHeading')}
          </Title>
          <Text size="sm" c="dimmed">
            {t('callHint')}
          </Text>
          <FlowCall flowId={flow.id} />
          <Title order={3} size="h5">
            {t('simulateHeading')}
          </Title>
        </>
      )}
      <Text size="sm" c="dimmed">
        {t('tryHint')}
      </Text>
      <form onSubmit={submit} noValidate>
        <Stack gap="sm">
          <TextInput
            label={t('tryKeys')}
            description={t('tryKeysHint')}
            value={form.keys}
            error={errors.get('keys')}
            data-path="keys"
            onChange={({ currentTarget }) => put({ keys: currentTarget.value })}
          />
          <TextInput
            label={t('tryCaller')}
            description={t('tryCallerHint')}
            value={form.caller}
            error={errors.get('caller_number')}
            data-path="caller_number"
            onChange={({ currentTarget }) => put({ caller: currentTarget.value })}
          />
          <TextInput
            label={t('tryCalled')}
            value={form.called}
            error={errors.get('called_number')}
            data-path="called_number"
            onChange={({ currentTarget }) => put({ called: currentTarget.value })}
          />
          <TextInput
            type="datetime-local"
            label={t('tryTime')}
            description={t('tryTimeHint')}
            value={form.time}
            error={errors.get('time')}
            data-path="time"
            onChange={({ currentTarget }) => put({ time: currentTarget.value })}
          />
          {state.steps.some(({ type }) => type === 'contact_lookup') && (
            <Textarea
              label={t('tryContact')}
              description={t('tryContactHint')}
              autosize
              minRows={2}
              value={form.contact}
              error={errors.get('contact')}
              data-path="contact"
              onChange={({ currentTarget }) => put({ contact: currentTarget.value })}
            />
          )}
          {state.steps.some(({ type }) => type === 'split') && (
            <NumberInput
              label={t('trySeed')}
              description={t('trySeedHint')}
              min={0}
              max={0xffffffff}
              allowDecimal={false}
              value={form.seed}
              error={errors.get('seed')}
              data-path="seed"
              onChange={(seed) => put({ seed: seed === '' ? '' : Number(seed) })}
            />
          )}
          <TrialAnswers {...{ form, put, errors }} />
          {errors.has('') && (
            <Alert color="red" role="alert" style={{ whiteSpace: 'pre-line', overflowWrap: 'anywhere' }}>
              {errors.get('')}
            </Alert>
          )}
          <Button type="submit" leftSection={<IconPlayerPlay size={16} />} loading={trying.isPending}>
            {t('tryRun')}
          </Button>
        </Stack>
      </form>
      <div ref={way}>{result && <TriedWay result={result} onKeepSeed={(seed) => put({ seed })} />}</div>
    </Stack>
  )
}

function calmly(): ScrollBehavior {
  return matchMedia('(prefers-reduced-motion: reduce)').matches ? 'auto' : 'smooth'
}

/** Errors by field of the request; '' holds those without a field in the form. */
function errorsIn(
  error: unknown,
  wrongJson: (message: string) => string,
  tried: readonly Step[],
): ReadonlyMap<string, string> {
  if (error === null) return new Map()
  if (error instanceof WrongJson) return new Map([[error.field, wrongJson(error.message)]])
  const fields = error instanceof ApiError ? [...error.errors] : []
  const [ofSteps, others] = [fields.filter(isOfStep), fields.filter((field) => !isOfStep(field))]
  const ofForm = others.map((problem): [string, string] => [
    problem.field.replace(/^(keys|contact)\b.*/, '$1').replace(/^(actions\.[^.]+)\..*/, '$1'),
    fieldMessage(problem),
  ])
  if (ofSteps.length > 0) ofForm.push(['', listOf(problemsIn(ofSteps, tried))])
  return ofForm.length > 0 ? new Map(ofForm.reverse()) : new Map([['', messageOf(error)]])
}

function isOfStep({ field }: { field: string }): boolean {
  return /^nodes\b/.test(field)
}

/** Errors with step names, as in the problems panel. */
function listOf(problems: readonly Problem[]): string {
  return problems
    .map(({ step, place, message }) =>
      [step === null ? '' : `${step}:`, inPlace(place, message)].filter(Boolean).join(' '),
    )
    .join('\n')
}
