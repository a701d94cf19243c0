import { Button, Card, Collapse, Group, Progress, Stack, Text, Title } from '@mantine/core'
import { useLocalStorage } from '@mantine/hooks'
import { IconChevronDown, IconChevronUp } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useQueryClient } from '@tanstack/react-query'
import { partOf } from '../../../design/part-of'
import { StateBadge } from '../../../design/values'
import { useTexts } from '../../../i18n/texts'
import { type Overview, overviewKey } from '../queries'
import { type StepId, stepsOf } from '../steps'
import { homeTexts } from '../texts'
import { GreetingButton } from './greeting-button'

const FlowCall = partOf(async () => import('../../flows/components/flow-call'), 'FlowCall')

const places = { number: '/numbers', people: '/agents', flow: '/flows', go: '/numbers' } as const

/** From a new workspace to its first calls; folded away by those who need it no more. */
export function Checklist({ setup }: { setup: Overview['setup'] }) {
  const t = useTexts(homeTexts)
  const steps = stepsOf(setup)
  const done = steps.filter(({ isDone }) => isDone).length
  const isComplete = done === steps.length
  const [choice, choose] = useLocalStorage<'open' | 'closed' | null>({
    key: 'jackfield.checklist',
    defaultValue: null,
    getInitialValueInEffect: false,
  })
  const isOpen = choice === null ? !isComplete : choice === 'open'
  return (
    <Card withBorder component="section" aria-label={t('setUp')}>
      <Group justify="space-between" gap="sm">
        <Title order={2} size="h4">
          {t('setUp')}
        </Title>
        <Button
          variant="subtle"
          size="xs"
          aria-expanded={isOpen}
          rightSection={isOpen ? <IconChevronUp size={16} /> : <IconChevronDown size={16} />}
          onClick={() => choose(isOpen ? 'closed' : 'open')}
        >
          {t(isOpen ? 'hide' : 'show')}
        </Button>
      </Group>
      <Text size="sm" c="dimmed" mb={6}>
        {t('progress', { done, all: steps.length })}
      </Text>
      <Progress value={(100 * done) / steps.length} aria-label={t('setUp')} />
      <Collapse expanded={isOpen}>
        <Stack component="ol" gap="md" p={0} m={0} mt="md" style={{ listStyle: 'none' }}>
          {steps.map(({ id, isDone }) => (
            <Step key={id} id={id} isDone={isDone}>
              <StepAction id={id} setup={setup} />
            </Step>
          ))}
        </Stack>
      </Collapse>
    </Card>
  )
}

function Step({ id, isDone, children }: { id: StepId; isDone: boolean; children: ReactNode }) {
  const t = useTexts(homeTexts)
  return (
    <Group component="li" justify="space-between" align="flex-start" gap="sm">
      <Stack gap={2} style={{ flex: '1 1 260px', minWidth: 0 }}>
        <Group gap="xs">
          <StateBadge tone={isDone ? 'good' : 'idle'}>{t(isDone ? 'done' : 'todo')}</StateBadge>
          <Title order={3} size="h5">
            {t(id)}
          </Title>
        </Group>
        <Text size="sm" c="dimmed">
          {t(`${id}Hint`)}
        </Text>
      </Stack>
      <Group gap="xs">{children}</Group>
    </Group>
  )
}

function StepAction({ id, setup: { flow_id, flows } }: { id: StepId; setup: Overview['setup'] }) {
  const t = useTexts(homeTexts)
  const client = useQueryClient()
  if (id === 'test') {
    const onOver = () => void client.invalidateQueries({ queryKey: overviewKey })
    if (flow_id) return <FlowCall key={flow_id} flowId={flow_id} onOver={onOver} />
    return (
      <Text size="sm" c="dimmed">
        {t('needsFlow')}
      </Text>
    )
  }
  if (id === 'flow' && flows === 0)
    return (
      <>
        <GreetingButton />
        <Button variant="light" renderRoot={(props) => <Link {...props} to="/flows/new" />}>
          {t('fromTemplate')}
        </Button>
      </>
    )
  return (
    <Button
      variant="light"
      aria-label={`${t('open')}: ${t(id)}`}
      renderRoot={(props) => <Link {...props} to={places[id]} />}
    >
      {t('open')}
    </Button>
  )
}
