import { Group, Stack } from '@mantine/core'
import { IconGitCompare } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { Answered, EmptyState } from '../../../design/page'
import { useTexts } from '../../../i18n/texts'
import { SideBySide } from '../components/side-by-side'
import { VersionPicker } from '../components/version-picker'
import { VoiceAgentFrame } from '../components/voice-agent-frame'
import {
  type Version,
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

/** Default comparison: the published version and the latest other one. */
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
