/** Outcomes for steps that people or servers decide, and the servers' responses. */
import { Divider, Select, Stack, Textarea } from '@mantine/core'
import { useState } from 'react'
import { useTexts } from '../../../i18n/texts'
import { outcomesOf } from '../model/step-kinds'
import type { Step } from '../model/steps'
import { type TrialForm, canBeDecided, isOfOthers } from '../model/trial'
import { tryTexts } from '../texts'
import { useEditing, useStepWords } from './editing'

interface TrialAnswersProps {
  form: TrialForm
  put: (change: Partial<TrialForm>) => void
  errors: ReadonlyMap<string, string>
}

/** Large flows ask only for the steps that the call passes. */
const askedAtOnce = 6

export function TrialAnswers({ form, put, errors }: TrialAnswersProps) {
  const t = useTexts(tryTexts)
  const { state } = useEditing()
  const [more, setMore] = useState<readonly string[]>(() => Object.keys(form.outcomes))
  const decidable = state.steps.filter(canBeDecided)
  const usual = decidable.filter(isOfOthers).slice(0, askedAtOnce)
  const asked = decidable.filter((step) => usual.includes(step) || more.includes(step.id))
  const others = decidable.filter((step) => !asked.includes(step))
  const servers = state.steps.filter(({ type }) => type === 'json_call_action')
  if (decidable.length === 0) return null
  return (
    <Stack gap="xs">
      <Divider label={t('tryOutcomes')} labelPosition="left" />
      {asked.map((step) => (
        <OutcomeOf key={step.id} step={step} {...{ form, put, errors }} />
      ))}
      {others.length > 0 && (
        <Select
          size="xs"
          label={t('tryOutcomeMore')}
          placeholder={t('tryOutcomeWhich')}
          searchable
          data={others.map(({ id }) => id)}
          value={null}
          onChange={(id) => id !== null && setMore([...more, id])}
        />
      )}
      {servers.map(({ id }) => (
        <Textarea
          key={id}
          size="xs"
          label={t('tryActions', { step: id })}
          autosize
          minRows={2}
          value={form.actions[id] ?? ''}
          error={errors.get(`actions.${id}`)}
          data-path={`actions.${id}`}
          onChange={({ currentTarget }) => put({ actions: { ...form.actions, [id]: currentTarget.value } })}
        />
      ))}
    </Stack>
  )
}

function OutcomeOf({ step, form, put, errors }: TrialAnswersProps & { step: Step }) {
  const t = useTexts(tryTexts)
  const { outcomeName } = useStepWords()
  const { id, type } = step
  return (
    <Select
      size="xs"
      label={t('tryOutcome', { step: id })}
      allowDeselect={false}
      data={[
        { value: '', label: t('tryOutcomeAuto') },
        ...outcomesOf(step).map((value) => ({ value, label: outcomeName(value, type) })),
      ]}
      value={form.outcomes[id] ?? ''}
      error={errors.get(`outcomes.${id}`)}
      data-path={`outcomes.${id}`}
      onChange={(value) => put({ outcomes: { ...form.outcomes, [id]: value ?? '' } })}
    />
  )
}
