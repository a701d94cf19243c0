/** Versions of a flow: view, compare with the editor, and restore into it. */
import { Button, Card, Group, List, Stack, Text } from '@mantine/core'
import { modals } from '@mantine/modals'
import { notifications } from '@mantine/notifications'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Answered } from '../../../design/page'
import { StateBadge, Time } from '../../../design/values'
import { common } from '../../../i18n/common'
import { useTexts } from '../../../i18n/texts'
import { type ChangedStep, differencesOf } from '../model/differences'
import { sentSteps } from '../model/step-kinds'
import { type FlowVersion, versionQuery, versionsQuery } from '../queries'
import { versionsTexts } from '../texts'
import { useEditing, useStepWords } from './editing'

interface VersionsPanelProps {
  flowId: string
  /** Whether the editor has steps that are not published. */
  hasDraft: boolean
  onDiscard: () => Promise<void>
}

export function VersionsPanel({ flowId, hasDraft, onDiscard }: VersionsPanelProps) {
  const t = useTexts(versionsTexts)
  const words = useTexts(common)
  const query = useQuery(versionsQuery(flowId))
  const discard = () =>
    modals.openConfirmModal({
      title: t('discardQuestion'),
      children: <Text>{t('discardHint')}</Text>,
      labels: { confirm: t('discard'), cancel: words('cancel') },
      confirmProps: { color: 'red' },
      onConfirm: () => void onDiscard(),
    })
  return (
    <Stack gap="sm">
      <Text size="sm" c="dimmed">
        {t('versionsHint')}
      </Text>
      {hasDraft && (
        <Card withBorder padding="sm" component="section" aria-label={t('draft')}>
          <Group justify="space-between" wrap="nowrap" align="flex-start">
            <div>
              <Text fw={600}>{t('draft')}</Text>
              <Text size="sm" c="dimmed">
                {t('draftHint')}
              </Text>
            </div>
            <Button size="xs" variant="default" style={{ flexShrink: 0 }} onClick={discard}>
              {t('discard')}
            </Button>
          </Group>
        </Card>
      )}
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
            {kind
              ? t(`author_${kind}`, { name: created_by?.name ?? created_by?.id ?? '' })
              : t('author_unknown')}
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
        const { added, removed, changed } = differencesOf(nodes, sentSteps(state.steps))
        const isSame = added.length + removed.length + changed.length === 0
        return (
          <Stack gap={4} mt="xs">
            {isSame && <Text size="sm">{t('diffNone')}</Text>}
            {added.length > 0 && <Text size="sm">{t('diffAdded', { steps: added.join(', ') })}</Text>}
            {removed.length > 0 && <Text size="sm">{t('diffRemoved', { steps: removed.join(', ') })}</Text>}
            {changed.length > 0 && (
              <div>
                <Text size="sm">{t('diffChanged')}</Text>
                <List size="sm" withPadding style={{ overflowWrap: 'anywhere' }}>
                  {changed.map((step) => (
                    <Changed key={step.id} step={step} />
                  ))}
                </List>
              </div>
            )}
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

/** A step that differs, and its differences. */
function Changed({ step: { id, was, places } }: { step: ChangedStep }) {
  const t = useTexts(versionsTexts)
  const { fieldName, outcomeName } = useStepWords()
  const { state } = useEditing()
  const type = state.steps.find((step) => step.id === id)?.type
  const fields = places.map((place) => {
    const [kind = '', ...rest] = place.split('.')
    const name = rest.join('.')
    if (kind === 'params') return fieldName(name, type)
    return kind === 'next' ? t('diffNext', { outcome: outcomeName(name, type) }) : t('diffType')
  })
  const changes = [...(was === undefined ? [] : [t('diffRenamed', { was })]), ...fields]
  return (
    <List.Item>
      {id}: {changes.join(', ')}
    </List.Item>
  )
}
