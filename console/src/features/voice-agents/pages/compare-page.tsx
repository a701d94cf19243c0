import { Card, Group, Stack, Switch, Table, Text } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { IconGitCompare } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { Answered, EmptyState } from '../../../design/page'
import { StateBadge, Time, durationOf } from '../../../design/values'
import { useTexts } from '../../../i18n/texts'
import '../voice-agents.css'
import { ChangedText } from '../components/changed-text'
import { EvaluationBadge } from '../components/evaluation-badge'
import { nameOf } from '../components/offers'
import { PublishButton } from '../components/publish-button'
import { VersionPicker } from '../components/version-picker'
import { VoiceAgentFrame } from '../components/voice-agent-frame'
import {
  type Offer,
  type Tool,
  type Version,
  type VoiceAgentDetail,
  modelsQuery,
  toolsQuery,
  versionsQuery,
  voiceAgentQuery,
  voicesQuery,
} from '../queries'
import { voiceAgentsTexts } from '../texts'

export function ComparePage() {
  const t = useTexts(voiceAgentsTexts)
  const { id } = useParams({ from: '/shell/admin/voice-agents/$id/compare' })
  const agent = useQuery(voiceAgentQuery(id))
  const versions = useQuery(versionsQuery(id))
  return (
    <VoiceAgentFrame id={id} name={agent.data?.name} tab="compare">
      <Answered query={agent}>
        {({ published_version }) => (
          <Answered query={versions}>
            {({ data }) =>
              data.length < 2 ? (
                <EmptyState icon={IconGitCompare} title={t('oneVersion')}>
                  {t('oneVersionHint')}
                </EmptyState>
              ) : (
                <Comparison id={id} versions={data} published={published_version} />
              )
            }
          </Answered>
        )}
      </Answered>
    </VoiceAgentFrame>
  )
}

/** What is compared when nobody has chosen: the published version, and the latest other one. */
function pairOf(versions: readonly Version[], published: number | null): [left: number, right: number] {
  const numbers = versions.map(({ version }) => version)
  const left = published !== null && numbers.includes(published) ? published : (numbers[1] ?? 1)
  return [left, numbers.find((version) => version !== left) ?? left]
}

function Comparison({
  id,
  versions,
  published,
}: {
  id: string
  versions: readonly Version[]
  published: number | null
}) {
  const t = useTexts(voiceAgentsTexts)
  const search = useSearch({ from: '/shell/admin/voice-agents/$id/compare' })
  const navigate = useNavigate({ from: '/voice-agents/$id/compare' })
  const [usualLeft, usualRight] = pairOf(versions, published)
  const [left, right] = [search.left ?? usualLeft, search.right ?? usualRight]
  const leftDetail = useQuery(voiceAgentQuery(id, left))
  const rightDetail = useQuery(voiceAgentQuery(id, right))
  const models = useQuery(modelsQuery)
  const voices = useQuery(voicesQuery)
  const tools = useQuery(toolsQuery(id))
  const picker = (side: 'left' | 'right', value: number) => (
    <VersionPicker
      label={t(side)}
      {...{ versions, published, value }}
      onChange={(version) => void navigate({ search: (before) => ({ ...before, [side]: version }) })}
    />
  )
  return (
    <Stack>
      <Group align="flex-end">
        {picker('left', left)}
        {picker('right', right)}
      </Group>
      <Answered query={leftDetail}>
        {(leftOne) => (
          <Answered query={rightDetail}>
            {(rightOne) => (
              <SideBySide
                {...{ id, published }}
                left={leftOne}
                right={rightOne}
                models={models.data?.data ?? []}
                voices={voices.data?.data ?? []}
                tools={tools.data?.data ?? []}
              />
            )}
          </Answered>
        )}
      </Answered>
    </Stack>
  )
}

interface Row {
  key: string
  label: string
  differs: boolean
  left: ReactNode
  right: ReactNode
}

interface Sides {
  left: VoiceAgentDetail
  right: VoiceAgentDetail
  models: readonly Offer[]
  voices: readonly Offer[]
  tools: readonly Tool[]
}

function useRows({ left, right, models, voices, tools }: Sides): Row[] {
  const t = useTexts(voiceAgentsTexts)
  const [a, b] = [left.settings, right.settings]
  const row = <T,>(key: string, label: string, of: (side: typeof a) => T, show: (value: T) => ReactNode) => {
    const values = [of(a), of(b)] as const
    const differs = JSON.stringify(values[0]) !== JSON.stringify(values[1])
    return { key, label, differs, left: show(values[0]), right: show(values[1]) }
  }
  const text = (key: 'greeting_message' | 'instructions', label: string): Row => ({
    ...{ key, label, differs: a[key] !== b[key] },
    left: <ChangedText left={a[key]} right={b[key]} side="left" />,
    right: <ChangedText left={a[key]} right={b[key]} side="right" />,
  })
  const toolName = (id: string) => tools.find((tool) => tool.id === id)?.name ?? id
  return [
    text('greeting_message', t('greeting')),
    text('instructions', t('instructions')),
    row(
      'model',
      t('model'),
      ({ model_id }) => model_id,
      (id) => nameOf(models, id),
    ),
    row(
      'voice',
      t('voice'),
      ({ voice_id }) => voice_id,
      (id) => (id ? nameOf(voices, id) : t('defaultVoice')),
    ),
    row('temperature', t('temperature'), ({ temperature }) => temperature, String),
    row(
      'duration',
      t('maxDuration'),
      (side) => side.max_call_duration_seconds,
      (seconds) => (seconds === 0 ? t('noLimit') : durationOf(seconds)),
    ),
    row(
      'noise',
      t('noiseReduction'),
      (side) => side.enable_noise_reduction,
      (isOn) => t(isOn ? 'on' : 'off'),
    ),
    row(
      'tools',
      t('toolsOfVersion'),
      ({ tools_id }) => tools_id.map(toolName).sort(),
      (names) => names.join(', ') || '–',
    ),
  ]
}

function SideBySide({ id, published, ...sides }: Sides & { id: string; published: number | null }) {
  const t = useTexts(voiceAgentsTexts)
  const [onlyChanges, setOnlyChanges] = useState(false)
  const rows = [...useRows(sides), ...useVerdicts({ ...sides, id, published })]
  const shown = onlyChanges ? rows.filter(({ differs, key }) => differs || key === 'publish') : rows
  const count = rows.filter(({ differs }) => differs).length
  const isNarrow = useMediaQuery('(max-width: 48em)', undefined, { getInitialValueInEffect: false })
  const heads = [sides.left, sides.right].map(({ settings: { version } }) =>
    t(version === published ? 'versionPublished' : 'version', { version }),
  )
  return (
    <Stack>
      <Group>
        <Text role="status">{t('differences', { count })}</Text>
        <Switch
          label={t('onlyDifferences')}
          checked={onlyChanges}
          onChange={({ currentTarget }) => setOnlyChanges(currentTarget.checked)}
        />
      </Group>
      {isNarrow ? (
        shown.map((row) => <StackedRow key={row.key} row={row} heads={heads} />)
      ) : (
        <WideRows rows={shown} heads={heads} />
      )}
    </Stack>
  )
}

/** Rows that are no settings: they are never said to differ. */
function useVerdicts({
  left,
  right,
  id,
  published,
}: Pick<Sides, 'left' | 'right'> & { id: string; published: number | null }): Row[] {
  const t = useTexts(voiceAgentsTexts)
  const row = (key: string, label: string, of: (side: VoiceAgentDetail) => ReactNode): Row => ({
    ...{ key, label, differs: false, left: of(left), right: of(right) },
  })
  return [
    row('evaluation', t('evaluation'), (side) => <EvaluationBadge evaluation={side.last_evaluation} />),
    row('changed', t('changed'), ({ settings }) => <Time at={settings.updated_at} />),
    row('publish', t('publish'), ({ settings: { version }, last_evaluation: evaluation }) =>
      version === published ? (
        <StateBadge tone="good">{t('published')}</StateBadge>
      ) : (
        <PublishButton {...{ id, version, evaluation }} />
      ),
    ),
  ]
}

interface RowsProps {
  rows: readonly Row[]
  /** Names of both versions. */
  heads: readonly string[]
}

function WideRows({ rows, heads }: RowsProps) {
  const t = useTexts(voiceAgentsTexts)
  return (
    <Table layout="fixed" verticalSpacing="sm">
      <Table.Thead>
        <Table.Tr>
          <Table.Th w={150}>{t('setting')}</Table.Th>
          {heads.map((head, side) => (
            <Table.Th key={side}>{head}</Table.Th>
          ))}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody style={{ verticalAlign: 'top' }}>
        {rows.map(({ key, label, differs, left, right }) => (
          <Table.Tr key={key}>
            <Table.Th scope="row" fw={differs ? 700 : 400}>
              {label}
              {differs && (
                <Text span size="xs" display="block">
                  {t('differs')}
                </Text>
              )}
            </Table.Th>
            <Table.Td>{left}</Table.Td>
            <Table.Td>{right}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}

/** One below the other, where there is no room for two. */
function StackedRow({ row: { label, differs, left, right }, heads }: { row: Row; heads: readonly string[] }) {
  const t = useTexts(voiceAgentsTexts)
  return (
    <Card withBorder padding="sm" component="section" aria-label={label}>
      <Text fw={differs ? 700 : 400}>
        {label}
        {differs && ` (${t('differs')})`}
      </Text>
      {[left, right].map((value, side) => (
        <div key={side}>
          <Text size="xs" c="dimmed" mt={6}>
            {heads[side]}
          </Text>
          {value}
        </div>
      ))}
    </Card>
  )
}
