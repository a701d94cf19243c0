import { Alert, Anchor, Button, Card, Group, Progress, Stack, Text, Title } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconCheck, IconRefresh } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Answered, Page } from '../../../design/page'
import { Copyable, StateBadge, type Tone } from '../../../design/values'
import { common } from '../../../i18n/common'
import { useTexts } from '../../../i18n/texts'
import { type Checklist, type ChecklistItem, checklistQuery } from '../queries'
import { isReasonKey } from '../reason-keys'
import { checklistTexts, reasonTexts } from '../texts'

const tones: Readonly<Record<ChecklistItem['state'], Tone>> = {
  ...{ done: 'good', todo: 'warn', failing: 'bad', optional: 'idle', unknown: 'idle' },
}

/** What is wrong and what is to be done come first, what is done last. */
const order: readonly ChecklistItem['state'][] = ['failing', 'todo', 'unknown', 'optional', 'done']

/** Pages where a step is done in this console; the others are settings of the machine. */
const pages: Partial<Record<ChecklistItem['id'], '/workspaces' | '/carriers' | '/ai-providers'>> = {
  ...{ workspace: '/workspaces', credit: '/workspaces', number: '/workspaces', trunk: '/workspaces' },
  ...{ push: '/workspaces', sms_carrier: '/carriers', ai_provider: '/ai-providers' },
}

function placeOf({ id, reason }: ChecklistItem) {
  if (reason === 'gateways_pending')
    return { to: '/platform/gateways', search: { state: 'pending_approval' } } as const
  const to = pages[id]
  return to && { to }
}

export function ChecklistPage() {
  const [t, words] = [useTexts(checklistTexts), useTexts(common)]
  const query = useQuery(checklistQuery)
  const again = (
    <Button
      variant="default"
      leftSection={<IconRefresh size={18} />}
      loading={query.isFetching}
      onClick={() => void query.refetch()}
    >
      {words('refresh')}
    </Button>
  )
  return (
    <Page title={t('heading')} description={t('description')} actions={again}>
      <Answered query={query} rows={10}>
        {(checklist) => <Steps checklist={checklist} />}
      </Answered>
    </Page>
  )
}

function Steps({ checklist: { items, is_complete } }: { checklist: Checklist }) {
  const t = useTexts(checklistTexts)
  const left = items.filter(({ state }) => state === 'todo' || state === 'failing').length
  const done = items.filter(({ state }) => state === 'done').length
  const [isAllShown, showAll] = useDisclosure(false)
  const shown = order
    .filter((state) => isAllShown || state !== 'done')
    .flatMap((state) => items.filter((item) => item.state === state))
  return (
    <Stack>
      <Alert color={is_complete ? 'green' : 'blue'} icon={is_complete && <IconCheck />} role="status">
        {is_complete ? t('complete') : t('left', { count: left })}
      </Alert>
      <Group gap="sm">
        {/* Of what must be done: the rest is optional or not known. */}
        <Progress value={(100 * done) / (done + left)} aria-label={t('heading')} style={{ flex: 1 }} />
        <Text size="sm">{t('progress', { done, all: done + left })}</Text>
        <Button variant="default" size="xs" aria-expanded={isAllShown} onClick={showAll.toggle}>
          {t(isAllShown ? 'hideDone' : 'showDone')}
        </Button>
      </Group>
      <Stack component="ol" gap="sm" p={0} m={0} style={{ listStyle: 'none' }}>
        {shown.map((item) => (
          <Step key={item.id} item={item} />
        ))}
      </Stack>
    </Stack>
  )
}

/** In the viewer's language if the reason is known, else in the API's words. */
function useReason({ reason, values, message, advice }: ChecklistItem) {
  const t = useTexts(reasonTexts)
  const adviceKey = `${reason}_advice`
  return {
    message: isReasonKey(reason) ? t(reason, values) : message,
    advice: advice !== null && isReasonKey(adviceKey) ? t(adviceKey, values) : advice,
  }
}

function Step({ item }: { item: ChecklistItem }) {
  const t = useTexts(checklistTexts)
  const { id, state, command, docs } = item
  const { message, advice } = useReason(item)
  const place = placeOf(item)
  const isOpen = state !== 'done'
  return (
    <Card component="li" withBorder padding="md">
      <Group justify="space-between" align="flex-start" gap="sm">
        <Stack gap={4} style={{ flex: '1 1 260px', minWidth: 0 }}>
          <Group gap="xs">
            <StateBadge tone={tones[state]}>{t(state)}</StateBadge>
            <Title order={2} size="h5">
              {t(id)}
            </Title>
          </Group>
          <Text style={{ overflowWrap: 'anywhere' }}>{message}</Text>
          {advice && <Text c="dimmed">{advice}</Text>}
          {isOpen && command && <Copyable value={command} what={t('command')} />}
          {isOpen && (
            <Anchor size="sm" href={`/${docs.replace('.md', '')}`} target="_blank" rel="noreferrer">
              {t('more')}
            </Anchor>
          )}
        </Stack>
        {isOpen && place && (
          <Button
            variant="light"
            aria-label={`${t('open')}: ${t(id)}`}
            renderRoot={(props) => <Link {...props} {...place} />}
          >
            {t('open')}
          </Button>
        )}
      </Group>
    </Card>
  )
}
