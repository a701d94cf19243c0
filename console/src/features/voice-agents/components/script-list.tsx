/** The scripts of a voice agent; runs them against one of its versions. */
import { dataOf } from '@jackfield/sdk'
import { Button, Card, Group, Stack, Text, Title } from '@mantine/core'
import { IconPlayerPlay } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../../../api/client'
import { useAction } from '../../../api/use-action'
import { confirmDelete } from '../../../design/dialogs'
import { RowAction, RowActions } from '../../../design/row-actions'
import { Time } from '../../../design/values'
import { useTexts } from '../../../i18n/texts'
import { type Script, scriptsQuery, versionsQuery, voiceAgentKey } from '../queries'
import { voiceAgentsTexts } from '../texts'
import { VersionPicker } from './version-picker'

export function ScriptList({
  id,
  scripts,
  published,
  latest,
  onEdit,
}: {
  id: string
  scripts: readonly Script[]
  published: number | null
  latest: number
  onEdit: (script: Script) => void
}) {
  const t = useTexts(voiceAgentsTexts)
  const client = useQueryClient()
  const navigate = useNavigate()
  const versions = useQuery(versionsQuery(id))
  const [version, setVersion] = useState(latest)
  const play = useAction({
    /** @param ids default: all scripts */
    run: async (ids: string[] | undefined) =>
      dataOf(
        api.POST('/voice-agents/{id}/evaluations', {
          params: { path: { id } },
          body: { version, ...(ids && { script_ids: ids }) },
        }),
      ),
    changes: [voiceAgentKey(id)],
    onDone: ({ id: evaluationId }) =>
      void navigate({ to: '/voice-agents/$id/evaluations/$evaluationId', params: { id, evaluationId } }),
  })
  const remove = ({ id: scriptId, name }: Script) =>
    confirmDelete({
      name,
      run: async () =>
        dataOf(
          api.DELETE('/voice-agents/{id}/evaluations/scripts/{scriptId}', {
            params: { path: { id, scriptId } },
          }),
        ),
      onDone: () => void client.invalidateQueries({ queryKey: scriptsQuery(id).queryKey }),
    })
  return (
    <Stack component="section">
      <Title order={2} size="h4">
        {t('scripts')}
      </Title>
      <Group align="flex-end">
        <VersionPicker
          label={t('playedTo')}
          versions={versions.data?.data ?? []}
          published={published}
          value={version}
          onChange={setVersion}
        />
        <Button
          leftSection={<IconPlayerPlay size={18} />}
          loading={play.isPending}
          onClick={() => play.mutate(undefined)}
        >
          {t('playAll', { count: scripts.length })}
        </Button>
      </Group>
      <Stack gap="sm" component="ul" p={0} m={0} style={{ listStyle: 'none' }} aria-label={t('scripts')}>
        {scripts.map((script) => (
          <ScriptCard
            key={script.id}
            script={script}
            onPlay={() => play.mutate([script.id])}
            onEdit={() => onEdit(script)}
            onDelete={() => remove(script)}
          />
        ))}
      </Stack>
    </Stack>
  )
}

function ScriptCard({
  script: { name, turns, expect, updated_at },
  onPlay,
  onEdit,
  onDelete,
}: {
  script: Script
  onPlay: () => void
  onEdit: () => void
  onDelete: () => void
}) {
  const t = useTexts(voiceAgentsTexts)
  const rules = turns.reduce((sum, turn) => sum + (turn.expect?.length ?? 0), expect.length)
  return (
    <Card withBorder component="li" padding="sm">
      <Group justify="space-between" gap="sm">
        <div style={{ minWidth: 0, flex: '1 1 200px' }}>
          <Text fw={600} style={{ overflowWrap: 'anywhere' }}>
            {name}
          </Text>
          <Text size="sm" c="dimmed">
            {t('turnCount', { count: turns.length })} · {t('ruleCount', { count: rules })} ·{' '}
            <Time at={updated_at} />
          </Text>
        </div>
        <RowActions name={name} onEdit={onEdit} onDelete={onDelete}>
          <RowAction label={t('playOne', { name })} icon={IconPlayerPlay} onClick={onPlay} />
        </RowActions>
      </Group>
    </Card>
  )
}
