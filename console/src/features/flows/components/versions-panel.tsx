/** What a flow was before: looked at, compared with the editor, and taken over into it. */
import { Button, Card, Group, Stack, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Answered } from '../../../design/page'
import { StateBadge, Time } from '../../../design/values'
import { useTexts } from '../../../i18n/texts'
import { versionsTexts } from '../versions-texts'
import type { Step } from '../model/steps'
import { type FlowVersion, versionQuery, versionsQuery } from '../queries'
import { useEditing } from './editing'

export function VersionsPanel({ flowId }: { flowId: string }) {
  const t = useTexts(versionsTexts)
  const query = useQuery(versionsQuery(flowId))
  return (
    <Stack gap="sm">
      <Text size="sm" c="dimmed">
        {t('versionsHint')}
      </Text>
      <Answered query={query} rows={4}>
        {({ data }) => (
          <Stack component="ul" gap="xs" p={0} m={0} style={{ listStyle: 'none' }}>
            {data.map((version, index) => (
              <Version key={version.version} version={version} isCurrent={index === 0} />
            ))}
          </Stack>
        )}
      </Answered>
    </Stack>
  )
}

const authors = ['agent', 'api_key', 'client', 'operator', 'system'] as const

function Version({ version, isCurrent }: { version: FlowVersion; isCurrent: boolean }) {
  const t = useTexts(versionsTexts)
  const [isOpen, setOpen] = useState(false)
  const { created_by, created_at, node_count } = version
  const kind = authors.find((author) => author === created_by?.kind)
  return (
    <Card component="li" withBorder padding="sm">
      <Group justify="space-between" wrap="nowrap" align="flex-start">
        <div style={{ minWidth: 0 }}>
          <Group gap="xs">
            <Text fw={600}>{t('version', { version: version.version })}</Text>
            {isCurrent && <StateBadge tone="good">{t('currentVersion')}</StateBadge>}
          </Group>
          <Text size="sm">
            <Time at={created_at} /> · {t('versionSteps', { count: node_count })}
          </Text>
          <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
            {kind ? t(`author_${kind}`, { id: created_by?.id ?? '' }) : t('author_unknown')}
          </Text>
        </div>
        <Button
          size="xs"
          variant="default"
          style={{ flexShrink: 0 }}
          aria-expanded={isOpen}
          aria-label={`${t('compare')}: ${t('version', { version: version.version })}`}
          onClick={() => setOpen(!isOpen)}
        >
          {t('compare')}
        </Button>
      </Group>
      {isOpen && <Comparison flowId={version.call_flow_id} version={version.version} />}
    </Card>
  )
}

function Comparison({ flowId, version }: { flowId: string; version: number }) {
  const t = useTexts(versionsTexts)
  const { state, edit } = useEditing()
  const query = useQuery(versionQuery(flowId, version))
  return (
    <Answered query={query} rows={2}>
      {({ nodes }) => {
        const { added, removed, changed } = comparedWith(nodes, state.steps)
        const isSame = added.length + removed.length + changed.length === 0
        return (
          <Stack gap={4} mt="xs">
            {isSame && <Text size="sm">{t('diffNone')}</Text>}
            {added.length > 0 && <Text size="sm">{t('diffAdded', { steps: added.join(', ') })}</Text>}
            {removed.length > 0 && <Text size="sm">{t('diffRemoved', { steps: removed.join(', ') })}</Text>}
            {changed.length > 0 && <Text size="sm">{t('diffChanged', { steps: changed.join(', ') })}</Text>}
            {!isSame && (
              <Button
                size="xs"
                mt={4}
                style={{ alignSelf: 'flex-start' }}
                onClick={() => {
                  edit({ do: 'replace', steps: nodes })
                  notifications.show({ message: t('chooseVersionDone', { version }) })
                }}
              >
                {t('chooseVersion')}
              </Button>
            )}
          </Stack>
        )
      }}
    </Answered>
  )
}

/** Ids of steps in which the editor differs from a version; where a step is drawn does not count. */
function comparedWith(before: readonly Step[], now: readonly Step[]) {
  const old = new Map(before.map((step) => [step.id, contentOf(step)]))
  const held = new Set(now.map(({ id }) => id))
  return {
    added: now.filter(({ id }) => !old.has(id)).map(({ id }) => id),
    removed: before.filter(({ id }) => !held.has(id)).map(({ id }) => id),
    changed: now
      .filter((step) => old.has(step.id) && old.get(step.id) !== contentOf(step))
      .map(({ id }) => id),
  }
}

function contentOf({ type, params, next }: Step): string {
  return JSON.stringify([type, sorted(params), sorted(next)])
}

function sorted(value: object): [string, unknown][] {
  return Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
}
