/** The flow as a list: for screen readers, and for narrow screens. */
import { ActionIcon, Box, Card, Collapse, Group, Stack, Text, Title, UnstyledButton } from '@mantine/core'
import { IconChevronDown, IconChevronRight, IconPlus } from '@tabler/icons-react'
import { useRef } from 'react'
import { useTexts } from '../../../i18n/texts'
import { NumbersIn, StateBadge } from '../../../design/values'
import { inOrder } from '../model/layout'
import { errorsOf } from '../model/problems'
import { kindOf, shownOutcomes, targetOf } from '../model/step-kinds'
import type { Step } from '../model/steps'
import { stepTexts } from '../texts'
import { summaryOf, useEditing, useStepKeys, useStepWords } from './editing'
import { StepSettings } from './step-settings'
import { useArrival } from './use-step-focus'

/** @param withSettings whether settings unfold within the step; else they are shown beside the list */
export function StepList({ withSettings }: { withSettings: boolean }) {
  const t = useTexts(stepTexts)
  const { state } = useEditing()
  return (
    <Stack component="ol" gap="xs" p={0} m={0} aria-label={t('steps')} style={{ listStyle: 'none' }}>
      {inOrder(state.steps).map((step, index) => (
        <ListedStep
          key={state.keys.get(step.id)}
          step={step}
          number={index + 1}
          withSettings={withSettings}
        />
      ))}
    </Stack>
  )
}

function ListedStep({ step, number, withSettings }: { step: Step; number: number; withSettings: boolean }) {
  const t = useTexts(stepTexts)
  const { state, edit, problems, names, tried, isStrict } = useEditing()
  const { choiceName, typeName } = useStepWords()
  const { keyOf } = useStepKeys()
  const button = useRef<HTMLButtonElement>(null)
  useArrival(step, () => button.current?.focus())
  const isOpen = state.selected === step.id
  const own = problems.filter((problem) => problem.step === step.id)
  const count = own.length
  const isWrong = errorsOf(own, step, isStrict).length > 0
  const Icon = kindOf(step.type)?.icon
  const summary = summaryOf(step, names[step.id], choiceName)
  return (
    <Card
      component="li"
      withBorder
      padding="sm"
      style={{
        borderColor: isOpen || tried.has(step.id) ? 'var(--mantine-primary-color-filled)' : undefined,
      }}
    >
      <UnstyledButton
        ref={button}
        data-step={keyOf(step.id)}
        aria-expanded={withSettings ? isOpen : undefined}
        aria-pressed={withSettings ? undefined : isOpen}
        onClick={() => edit({ do: 'select', id: isOpen ? null : step.id })}
      >
        <Group gap="xs" wrap="nowrap" align="flex-start">
          {withSettings &&
            (isOpen ? (
              <IconChevronDown size={18} aria-hidden style={{ flexShrink: 0 }} />
            ) : (
              <IconChevronRight size={18} aria-hidden style={{ flexShrink: 0 }} />
            ))}
          {Icon && <Icon size={18} aria-hidden style={{ flexShrink: 0 }} />}
          <div style={{ minWidth: 0 }}>
            <Title order={2} size="sm" style={{ overflowWrap: 'anywhere' }}>
              {number}. {typeName(step.type)}
              {step.id !== step.type && ` · ${step.id}`}
            </Title>
            {summary && (
              <Text size="sm" c="dimmed" lineClamp={2} style={{ overflowWrap: 'anywhere' }}>
                <NumbersIn text={summary} />
              </Text>
            )}
          </div>
        </Group>
      </UnstyledButton>
      {count > 0 && (
        <div>
          <StateBadge tone={isWrong ? 'bad' : 'idle'}>
            {t(isWrong ? 'problemCount' : 'toDoCount', { count })}
          </StateBadge>
        </div>
      )}
      {!(withSettings && isOpen) && <Ways step={step} />}
      {withSettings && (
        <Collapse expanded={isOpen}>
          {isOpen && (
            <Box mt="sm">
              <StepSettings step={step} />
            </Box>
          )}
        </Collapse>
      )}
    </Card>
  )
}

/** Outcomes of a step with an edge, and a button to connect the others. */
function Ways({ step }: { step: Step }) {
  const t = useTexts(stepTexts)
  const { addStep, edit } = useEditing()
  const { outcomeName } = useStepWords()
  const outcomes = shownOutcomes(step)
  if (outcomes.length === 0) {
    return (
      <Text size="sm" c="dimmed" mt={4}>
        {t('ends')}
      </Text>
    )
  }
  return (
    <Stack component="ul" gap={2} p={0} m={0} mt={4} style={{ listStyle: 'none' }}>
      {outcomes.map((outcome) => {
        const target = targetOf(step, outcome)
        const name = outcomeName(outcome, step.type)
        return (
          <Group key={outcome} component="li" gap={6} wrap="nowrap">
            <ActionIcon
              variant="subtle"
              size="sm"
              aria-label={t('addAfter', { step: step.id, outcome: name })}
              onClick={() => addStep({ from: step.id, outcome })}
            >
              <IconPlus size={14} />
            </ActionIcon>
            <Text
              size="sm"
              c={target && !target.isOtherwise ? undefined : 'dimmed'}
              style={{ overflowWrap: 'anywhere' }}
            >
              {name} → {target?.isOtherwise && `${t('asOtherwise')}: `}
              {target ? (
                <UnstyledButton fz="sm" td="underline" onClick={() => edit({ do: 'select', id: target.to })}>
                  {target.to}
                </UnstyledButton>
              ) : (
                t('endsShort')
              )}
            </Text>
          </Group>
        )
      })}
    </Stack>
  )
}
