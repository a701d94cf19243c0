/** All that one step has: its name, its settings, and what follows it. */
import {
  ActionIcon,
  Alert,
  Button,
  Divider,
  Group,
  Select,
  Stack,
  Text,
  TextInput,
  Title,
} from '@mantine/core'
import { IconArrowDownRight, IconCopy, IconPlus, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { useTexts } from '../../../i18n/texts'
import { editorTexts } from '../editor-texts'
import { problemAt } from '../model/problems'
import { kindOf, outcomesOf } from '../model/step-kinds'
import { type Step, startType } from '../model/steps'
import { useEditing, useStepWords } from './editing'
import { StepFields } from './step-fields'

export function StepSettings({ step }: { step: Step }) {
  const t = useTexts(editorTexts)
  const { edit, problems } = useEditing()
  const { typeName, typeHint } = useStepWords()
  const own = problems.filter((problem) => problem.step === step.id)
  // What belongs to no field of this form.
  const atStep = own.filter(({ place }) => place === '' || place === 'type' || place.startsWith('position'))
  const isKnown = kindOf(step.type) !== undefined
  const isStart = step.type === startType
  return (
    <Stack gap="md">
      <div>
        <Title order={2} size="h4">
          {typeName(step.type)}
        </Title>
        <Text size="sm" c="dimmed">
          {isKnown ? typeHint(step.type) : t('unknownType', { type: step.type })}
        </Text>
      </div>
      {atStep.map(({ place, message }) => (
        <Alert key={place} color="red">
          {message}
        </Alert>
      ))}
      <NameField key={step.id} step={step} error={problemAt(own, 'id')} />
      <StepFields step={step} />
      <Outcomes step={step} />
      {!isStart && (
        <Group gap="xs">
          <Button
            variant="default"
            size="xs"
            leftSection={<IconCopy size={14} />}
            onClick={() => edit({ do: 'duplicate', id: step.id })}
          >
            {t('duplicate')}
          </Button>
          <Button
            variant="light"
            color="red"
            size="xs"
            leftSection={<IconTrash size={14} />}
            onClick={() => edit({ do: 'remove', ids: [step.id] })}
          >
            {t('remove')}
          </Button>
        </Group>
      )}
    </Stack>
  )
}

/** The name is taken over when the field is left: while it is typed it may be that of another step. */
function NameField({ step, error }: { step: Step; error: string | undefined }) {
  const t = useTexts(editorTexts)
  const { edit, state } = useEditing()
  const [name, setName] = useState(step.id)
  const isTaken = name !== step.id && state.steps.some(({ id }) => id === name)
  const isMalformed = !/^[A-Za-z0-9_-]{1,64}$/.test(name)
  const wrong = isTaken ? t('nameTaken') : isMalformed ? t('hint_id') : error
  const keep = () => {
    if (!isTaken && !isMalformed) edit({ do: 'rename', id: step.id, to: name })
  }
  return (
    <TextInput
      label={t('field_id')}
      description={t('hint_id')}
      value={name}
      error={wrong}
      onChange={({ currentTarget }) => setName(currentTarget.value)}
      onBlur={keep}
      onKeyDown={({ key }) => key === 'Enter' && keep()}
    />
  )
}

const newStep = '+'
const nowhere = ''

function Outcomes({ step }: { step: Step }) {
  const t = useTexts(editorTexts)
  const { edit, state, problems, addStep } = useEditing()
  const { outcomeName, typeName } = useStepWords()
  const own = problems.filter((problem) => problem.step === step.id)
  const all = outcomesOf(step)
  const outcomes = [...new Set([...all, ...Object.keys(step.next)])]
  if (outcomes.length === 0) return <Text c="dimmed">{t('ends')}</Text>
  const targets = state.steps.map(({ id, type }) => ({
    value: id,
    label: id === type ? typeName(type) : `${id} · ${typeName(type)}`,
  }))
  const missing = problemAt(own, 'next')
  return (
    <Stack gap="xs">
      <Divider label={t('outcomes')} labelPosition="left" />
      {missing && (
        <Text size="sm" c="var(--mantine-color-error)">
          {missing}
        </Text>
      )}
      {outcomes.map((outcome) => (
        <Group key={outcome} gap="xs" wrap="nowrap" align="flex-end">
          <Select
            style={{ flex: 1, minWidth: 0 }}
            size="xs"
            label={outcomeName(outcome, step.type)}
            searchable
            allowDeselect={false}
            leftSection={<IconArrowDownRight size={14} />}
            data={[
              { value: nowhere, label: t('nowhere') },
              { value: newStep, label: t('newStep') },
              ...targets,
            ]}
            value={step.next[outcome] ?? nowhere}
            error={problemAt(own, `next.${outcome}`)}
            onChange={(to) => {
              const at = { from: step.id, outcome }
              if (to === newStep) addStep(at)
              else edit({ do: 'connect', at, to: to === nowhere || to === null ? null : to })
            }}
          />
          <ActionIcon
            variant="default"
            size={30}
            aria-label={t('addAfter', { step: step.id, outcome: outcomeName(outcome, step.type) })}
            onClick={() => addStep({ from: step.id, outcome })}
          >
            <IconPlus size={16} />
          </ActionIcon>
        </Group>
      ))}
    </Stack>
  )
}
