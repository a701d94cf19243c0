/** Name, settings and outcomes of a step. */
import { Alert, Button, Group, Stack, Text, TextInput, Title } from '@mantine/core'
import { IconCircleDashed, IconCopy, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { useTexts } from '../../../i18n/texts'
import { errorsOf, problemAt } from '../model/problems'
import { kindOf } from '../model/step-kinds'
import { type Step, startType } from '../model/steps'
import { stepTexts } from '../texts'
import { useEditing, useStepWords } from './editing'
import { Outcomes } from './outcomes'
import { StepFields } from './step-fields'

export function StepSettings({ step }: { step: Step }) {
  const t = useTexts(stepTexts)
  const { edit, problems, state, isStrict } = useEditing()
  const { typeName, typeHint, fieldName } = useStepWords()
  const own = errorsOf(problems, step, isStrict)
  const open = problems.filter(({ step: of, isOpen }) => of === step.id && isOpen && !isStrict)
  // Problems that belong to no field of this form.
  const atStep = own.filter(({ place }) => place === '' || place === 'type' || place.startsWith('position'))
  const openName = (place: string) =>
    place.startsWith('params.')
      ? fieldName(place.slice('params.'.length), step.type)
      : t(place === 'next' ? 'outcomes' : place === 'params' ? 'prompt' : 'toConnect')
  const isKnown = kindOf(step.type) !== undefined
  const isStart = step.type === startType
  const key = state.keys.get(step.id)
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
      {open.length > 0 && (
        <Alert color="blue" variant="light" py="xs" icon={<IconCircleDashed size={18} />} role="status">
          {t('toDo', { fields: [...new Set(open.map(({ place }) => openName(place)))].join(', ') })}
        </Alert>
      )}
      {atStep.map(({ place, message }) => (
        <Alert key={place} color="red">
          {message}
        </Alert>
      ))}
      <NameField step={step} error={problemAt(own, 'id')} />
      <StepFields key={`fields ${key}`} step={step} />
      <Outcomes key={`outcomes ${key}`} step={step} />
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

/** The name is applied on blur: while typing, it may equal that of another step. */
function NameField({ step, error }: { step: Step; error: string | undefined }) {
  const t = useTexts(stepTexts)
  const { edit, state } = useEditing()
  const [of, setOf] = useState(step.id)
  const [name, setName] = useState(step.id)
  if (of !== step.id) {
    // Another step was selected, or this one was renamed: the field keeps the focus.
    setOf(step.id)
    setName(step.id)
  }
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
      data-path="id"
      value={name}
      error={wrong}
      onChange={({ currentTarget }) => setName(currentTarget.value)}
      onBlur={keep}
      onKeyDown={({ key }) => key === 'Enter' && keep()}
    />
  )
}
