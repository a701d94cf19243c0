import { dataOf } from '@jackfield/sdk'
import { ActionIcon, Anchor, Button, Card, Group, Stack, Table, Text, Title } from '@mantine/core'
import { IconListCheck, IconPencil, IconPlayerPlay, IconPlus, IconTrash } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../../../api/client'
import { useAction } from '../../../api/use-action'
import { confirmDelete } from '../../../design/dialogs'
import { FormModal } from '../../../design/form-modal'
import { Answered, EmptyState } from '../../../design/page'
import { partOf } from '../../../design/part-of'
import { Time } from '../../../design/values'
import { useTexts } from '../../../i18n/texts'
import { EvaluationBadge } from '../components/evaluation-badge'
import { VersionPicker } from '../components/version-picker'
import { VoiceAgentFrame } from '../components/voice-agent-frame'
import {
  type Evaluation,
  type Script,
  evaluationsQuery,
  scriptsQuery,
  versionsQuery,
  voiceAgentKey,
  voiceAgentQuery,
} from '../queries'
import { voiceAgentsTexts } from '../texts'

const ScriptForm = partOf(async () => import('../components/script-form'), 'ScriptForm')

export function EvaluationsPage() {
  const t = useTexts(voiceAgentsTexts)
  const { id } = useParams({ from: '/shell/admin/voice-agents/$id/evaluations' })
  const agent = useQuery(voiceAgentQuery(id))
  const scripts = useQuery(scriptsQuery(id))
  const evaluations = useQuery(evaluationsQuery(id))
  /** The script that is edited; `new` for one that is to be written. */
  const [edited, setEdited] = useState<Script | 'new' | null>(null)
  const add = (
    <Button variant="default" leftSection={<IconPlus size={18} />} onClick={() => setEdited('new')}>
      {t('newScript')}
    </Button>
  )
  return (
    <VoiceAgentFrame id={id} name={agent.data?.name} tab="evaluations" actions={add}>
      <Stack gap="xl">
        <Answered query={scripts}>
          {({ data }) =>
            data.length === 0 ? (
              <EmptyState icon={IconListCheck} title={t('noScripts')} action={add}>
                {t('noScriptsHint')}
              </EmptyState>
            ) : (
              <Answered query={agent}>
                {(detail) => (
                  <Scripts
                    id={id}
                    scripts={data}
                    published={detail.published_version}
                    latest={detail.settings.version}
                    onEdit={setEdited}
                  />
                )}
              </Answered>
            )
          }
        </Answered>
        <Answered query={evaluations}>
          {({ data }) => (data.length === 0 ? <></> : <Past id={id} evaluations={data} />)}
        </Answered>
      </Stack>
      <FormModal
        title={t(edited === 'new' ? 'newScript' : 'editScript')}
        opened={edited !== null}
        onClose={() => setEdited(null)}
        size="xl"
      >
        {edited && (
          <ScriptForm id={id} script={edited === 'new' ? null : edited} onDone={() => setEdited(null)} />
        )}
      </FormModal>
    </VoiceAgentFrame>
  )
}

function Scripts({
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
    /** @param ids all that are kept without */
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
        <Group gap={4} wrap="nowrap">
          <ActionIcon variant="subtle" size="lg" aria-label={t('playOne', { name })} onClick={onPlay}>
            <IconPlayerPlay size={18} />
          </ActionIcon>
          <ActionIcon variant="subtle" size="lg" aria-label={t('edit', { name })} onClick={onEdit}>
            <IconPencil size={18} />
          </ActionIcon>
          <ActionIcon
            variant="subtle"
            color="red"
            size="lg"
            aria-label={t('deleteOne', { name })}
            onClick={onDelete}
          >
            <IconTrash size={18} />
          </ActionIcon>
        </Group>
      </Group>
    </Card>
  )
}

function Past({ id, evaluations }: { id: string; evaluations: readonly Evaluation[] }) {
  const t = useTexts(voiceAgentsTexts)
  return (
    <Stack component="section">
      <Title order={2} size="h4">
        {t('past')}
      </Title>
      <Text c="dimmed">{t('pastHint')}</Text>
      <Table.ScrollContainer minWidth={280} scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}>
        <Table aria-label={t('past')}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('when')}</Table.Th>
              <Table.Th>{t('versionHead')}</Table.Th>
              <Table.Th>{t('result')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {evaluations.map((evaluation) => (
              <Table.Tr key={evaluation.id}>
                <Table.Td>
                  <Anchor component={Link} to={`/voice-agents/${id}/evaluations/${evaluation.id}`}>
                    <Time at={evaluation.created_at} />
                  </Anchor>
                </Table.Td>
                <Table.Td>{evaluation.version}</Table.Td>
                <Table.Td>
                  <EvaluationBadge evaluation={evaluation} />
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </Stack>
  )
}
