import { dataOf } from '@jackfield/sdk'
import { Button, Group, Stack, Text } from '@mantine/core'
import { IconCopyPlus, IconMicrophone, IconTrash } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../../../api/client'
import { useAction } from '../../../api/use-action'
import { confirmDelete } from '../../../design/dialogs'
import { Answered } from '../../../design/page'
import { StateBadge } from '../../../design/values'
import { useTexts } from '../../../i18n/texts'
import { EvaluationBadge } from '../components/evaluation-badge'
import { PublishButton } from '../components/publish-button'
import { RenameButton } from '../components/rename-button'
import { SettingsForm } from '../components/settings-form'
import { VersionPicker } from '../components/version-picker'
import { VoiceAgentFrame } from '../components/voice-agent-frame'
import {
  type Settings,
  type VoiceAgentDetail,
  modelsQuery,
  toolsQuery,
  versionsQuery,
  voiceAgentKey,
  voiceAgentQuery,
  voicesQuery,
} from '../queries'
import { voiceAgentsTexts } from '../texts'

export function SettingsPage() {
  const { id } = useParams({ from: '/shell/admin/voice-agents/$id' })
  const { version } = useSearch({ from: '/shell/admin/voice-agents/$id' })
  const agent = useQuery(voiceAgentQuery(id, version))
  return (
    <VoiceAgentFrame
      id={id}
      name={agent.data?.name}
      tab="settings"
      actions={agent.data && <RenameButton id={id} name={agent.data.name} />}
    >
      <Answered query={agent}>
        {(detail) => (
          <OneVersion detail={detail} newest={async () => (await agent.refetch()).data?.settings} />
        )}
      </Answered>
    </VoiceAgentFrame>
  )
}

interface OneVersionProps {
  detail: VoiceAgentDetail
  /** The server's current value; undefined if the request fails. */
  newest: () => Promise<Settings | undefined>
}

function OneVersion({ detail, newest }: OneVersionProps) {
  const { id, published_version: published, settings, last_evaluation: evaluation } = detail
  const { version } = settings
  const t = useTexts(voiceAgentsTexts)
  const client = useQueryClient()
  const navigate = useNavigate({ from: '/voice-agents/$id' })
  const versions = useQuery(versionsQuery(id))
  const models = useQuery(modelsQuery)
  const voices = useQuery(voicesQuery)
  const tools = useQuery(toolsQuery(id))
  const show = (next: number | undefined) =>
    void navigate({ search: next === undefined ? {} : { version: next } })
  const clone = useAction({
    run: async () => dataOf(api.POST('/voice-agents/{id}/version', { params: { path: { id } } })),
    changes: [voiceAgentKey(id)],
    done: ({ version: made }) => t('versionMade', { version: made }),
    onDone: ({ version: made }) => show(made),
  })
  const remove = () =>
    confirmDelete({
      name: t('version', { version }),
      run: async () =>
        dataOf(api.DELETE('/voice-agents/{id}/version/{version}', { params: { path: { id, version } } })),
      onDone: () => {
        show(published ?? undefined)
        void client.invalidateQueries({ queryKey: voiceAgentKey(id) })
      },
    })
  const isPublished = version === published
  const [isUnsaved, setUnsaved] = useState(false)
  return (
    <Stack gap="lg" maw={860}>
      <Group align="flex-end" gap="sm">
        <VersionPicker
          label={t('shownVersion')}
          versions={versions.data?.data ?? [detail.settings]}
          published={published}
          value={version}
          onChange={show}
        />
        <Button
          variant="default"
          leftSection={<IconCopyPlus size={18} />}
          loading={clone.isPending}
          disabled={isUnsaved}
          onClick={() => clone.mutate()}
        >
          {t('newVersion')}
        </Button>
        <Button
          component={Link}
          to={`/voice-agents/${id}/talk?version=${version}`}
          variant="default"
          leftSection={<IconMicrophone size={18} />}
        >
          {t('talkToIt')}
        </Button>
        {!isPublished && <PublishButton {...{ id, version, evaluation }} disabled={isUnsaved} />}
        {!isPublished && (
          <Button
            variant="default"
            c="var(--mantine-color-error)"
            leftSection={<IconTrash size={18} />}
            onClick={remove}
          >
            {t('deleteVersion')}
          </Button>
        )}
      </Group>
      {isUnsaved && (
        <Text size="sm" c="dimmed" role="status">
          {t('unsavedHint')}
        </Text>
      )}
      <Group gap="xs">
        {isPublished && <StateBadge tone="good">{t('published')}</StateBadge>}
        <EvaluationBadge evaluation={evaluation} />
      </Group>
      <Answered query={models}>
        {({ data: offeredModels }) => (
          <Answered query={voices}>
            {({ data: offeredVoices }) => (
              <Answered query={tools}>
                {({ data: known }) => (
                  <SettingsForm
                    key={settings.id}
                    {...{
                      id,
                      settings,
                      isPublished,
                      newest,
                      models: offeredModels,
                      voices: offeredVoices,
                      tools: known,
                    }}
                    onUnsaved={setUnsaved}
                  />
                )}
              </Answered>
            )}
          </Answered>
        )}
      </Answered>
    </Stack>
  )
}
