/** Tries what is in the editor, without a telephone. */
import type { components } from '@jackfield/sdk'
import { ApiError, dataOf } from '@jackfield/sdk'
import { Alert, Anchor, Button, Divider, List, Select, Stack, Text, TextInput, Textarea } from '@mantine/core'
import { IconPlayerPlay } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import type { SyntheticEvent } from 'react'
import { api } from '../../../api/client'
import { messageOf } from '../../../api/errors'
import { useTexts } from '../../../i18n/texts'
import { editorTexts } from '../editor-texts'
import { kindOf, outcomesOf } from '../model/step-kinds'
import { type Step, otherwise } from '../model/steps'
import type { Trigger } from '../queries'
import { edgeId, useEditing, useStepWords } from './editing'

export type Simulation = components['schemas']['Simulation']

/** What the call is like; the texts are as they are typed. */
export interface TrialForm {
  caller: string
  called: string
  time: string
  keys: string
  contact: string
  outcomes: Record<string, string>
  actions: Record<string, string>
}

export const emptyTrial: TrialForm = {
  ...{ caller: '', called: '', time: '', keys: '', contact: '', outcomes: {}, actions: {} },
}

class WrongJson extends Error {
  constructor(
    readonly field: string,
    cause: unknown,
  ) {
    super(cause instanceof Error ? cause.message : String(cause))
  }
}

interface TryPanelProps {
  trigger: Trigger
  /** Kept outside, so that it is there again when the panel was closed. */
  form: TrialForm
  onForm: (form: TrialForm) => void
  result: Simulation | null
  onResult: (result: Simulation | null) => void
}

export function TryPanel({ trigger, form, onForm, result, onResult }: TryPanelProps) {
  const t = useTexts(editorTexts)
  const { state } = useEditing()
  const trying = useMutation({
    mutationFn: async () =>
      dataOf(
        api.POST('/call-flows/simulate', {
          body: { trigger_type: trigger, nodes: [...state.steps], ...requestOf(form, state.steps) },
        }),
      ),
    onMutate: () => onResult(null),
    onSuccess: onResult,
  })
  const errors = errorsIn(trying.error, (message) => t('tryWrongJson', { message }))
  const put = (change: Partial<TrialForm>) => onForm({ ...form, ...change })
  const submit = (event: SyntheticEvent) => {
    event.preventDefault()
    trying.mutate()
  }
  return (
    <Stack gap="sm">
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
            onChange={({ currentTarget }) => put({ keys: currentTarget.value })}
          />
          <TextInput
            label={t('tryCaller')}
            description={t('tryCallerHint')}
            value={form.caller}
            error={errors.get('caller_number')}
            onChange={({ currentTarget }) => put({ caller: currentTarget.value })}
          />
          <TextInput
            label={t('tryCalled')}
            value={form.called}
            error={errors.get('called_number')}
            onChange={({ currentTarget }) => put({ called: currentTarget.value })}
          />
          <TextInput
            type="datetime-local"
            label={t('tryTime')}
            description={t('tryTimeHint')}
            value={form.time}
            error={errors.get('time')}
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
              onChange={({ currentTarget }) => put({ contact: currentTarget.value })}
            />
          )}
          <Answers form={form} put={put} errors={errors} />
          {errors.has('') && (
            <Alert color="red" role="alert">
              {errors.get('')}
            </Alert>
          )}
          <Button type="submit" leftSection={<IconPlayerPlay size={16} />} loading={trying.isPending}>
            {t('tryRun')}
          </Button>
        </Stack>
      </form>
      {result && <Way result={result} />}
    </Stack>
  )
}

/** How steps end that somebody else decides, and what servers answer. */
function Answers({
  form,
  put,
  errors,
}: {
  form: TrialForm
  put: (change: Partial<TrialForm>) => void
  errors: ReadonlyMap<string, string>
}) {
  const t = useTexts(editorTexts)
  const { state } = useEditing()
  const { outcomeName } = useStepWords()
  const others = state.steps.filter(isOfOthers)
  const servers = state.steps.filter(({ type }) => type === 'json_call_action')
  if (others.length + servers.length === 0) return null
  return (
    <Stack gap="xs">
      <Divider label={t('tryOutcomes')} labelPosition="left" />
      {others.map((step) => (
        <Select
          key={step.id}
          size="xs"
          label={t('tryOutcome', { step: step.id })}
          allowDeselect={false}
          data={[
            { value: '', label: t('tryOutcomeAuto') },
            ...outcomesOf(step).map((value) => ({ value, label: outcomeName(value, step.type) })),
          ]}
          value={form.outcomes[step.id] ?? ''}
          error={errors.get(`outcomes.${step.id}`)}
          onChange={(value) => put({ outcomes: { ...form.outcomes, [step.id]: value ?? '' } })}
        />
      ))}
      {servers.map(({ id }) => (
        <Textarea
          key={id}
          size="xs"
          label={t('tryActions', { step: id })}
          autosize
          minRows={2}
          value={form.actions[id] ?? ''}
          error={errors.get(`actions.${id}`)}
          onChange={({ currentTarget }) => put({ actions: { ...form.actions, [id]: currentTarget.value } })}
        />
      ))}
    </Stack>
  )
}

function isOfOthers(step: Step): boolean {
  const group = kindOf(step.type)?.group
  return (group === 'connect' || group === 'tell') && outcomesOf(step).length > 1
}

/** The way that the call took, and how it ended. */
function Way({ result }: { result: Simulation }) {
  const t = useTexts(editorTexts)
  const { edit, state } = useEditing()
  const { outcomeName } = useStepWords()
  const { reason, cause } = result.ended
  return (
    <section aria-label={t('tryPath')}>
      <Divider label={t('tryPath')} labelPosition="left" mb="xs" />
      <List type="ordered" size="sm" spacing={6}>
        {result.path.map(({ node_id, type, outcome, details }, index) => {
          const step = state.steps.find(({ id }) => id === node_id)
          return (
            <List.Item key={index}>
              <Anchor
                component="button"
                type="button"
                size="sm"
                onClick={() => edit({ do: 'select', id: node_id })}
              >
                {node_id}
              </Anchor>
              {outcome !== null && `: ${outcomeName(outcome, type)}`}
              <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
                {toldOf(details, step)}
              </Text>
            </List.Item>
          )
        })}
      </List>
      <Text mt="xs" fw={500} role="status">
        {t(`tryEnd_${reason}`, { cause: cause ?? '' })}
      </Text>
    </section>
  )
}

/** What a step found out, and the names of what it names; its settings are seen in the flow. */
function toldOf({ names, ...details }: Record<string, unknown>, step: Step | undefined): string {
  const found = Object.entries(details).filter(([name]) => !(name in (step?.params ?? {})))
  return [...Object.entries(names ?? {}), ...found]
    .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(' · ')
}

/** Ids of the steps and edges that a call took. */
export function triedIn(result: Simulation | null, steps: readonly Step[]): ReadonlySet<string> {
  const next = new Map(steps.map((step) => [step.id, step.next]))
  return new Set(
    result?.path.flatMap(({ node_id: from, outcome }) => {
      if (outcome === null) return [from]
      const taken = outcome in (next.get(from) ?? {}) ? outcome : otherwise
      return [from, edgeId({ from, outcome: taken })]
    }),
  )
}

function requestOf(form: TrialForm, steps: readonly Step[]) {
  const there = new Set(steps.map(({ id }) => id))
  const outcomes = Object.entries(form.outcomes).filter(([id, outcome]) => there.has(id) && outcome !== '')
  const actions = Object.entries(form.actions).filter(([id, text]) => there.has(id) && text.trim() !== '')
  return {
    ...(form.caller.trim() && { caller_number: form.caller.trim() }),
    ...(form.called.trim() && { called_number: form.called.trim() }),
    ...(form.time && { time: new Date(form.time).toISOString() }),
    ...(form.keys.trim() && { keys: form.keys.split(',').map((pressed) => pressed.trim()) }),
    ...(form.contact.trim() && { contact: jsonOf('contact', form.contact) as Record<string, never> | null }),
    ...(outcomes.length > 0 && { outcomes: Object.fromEntries(outcomes) }),
    ...(actions.length > 0 && {
      actions: Object.fromEntries(actions.map(([id, text]) => [id, jsonOf(`actions.${id}`, text) as never])),
    }),
  }
}

function jsonOf(field: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new WrongJson(field, error)
  }
}

/** What is wrong by the field of the request; at '' what belongs to none of the form's. */
function errorsIn(error: unknown, wrongJson: (message: string) => string): ReadonlyMap<string, string> {
  if (error === null) return new Map()
  if (error instanceof WrongJson) return new Map([[error.field, wrongJson(error.message)]])
  const fields = error instanceof ApiError ? error.errors : []
  const ofForm = fields.map(({ field, messages }): [string, string] => [
    /^nodes\b/.test(field)
      ? ''
      : field.replace(/^(keys|contact)\b.*/, '$1').replace(/^(actions\.[^.]+)\..*/, '$1'),
    messages.join(', '),
  ])
  return ofForm.length > 0 ? new Map(ofForm.reverse()) : new Map([['', messageOf(error)]])
}
