import { dataOf } from '@jackfield/sdk'
import { Button, Card, Code, Group, Stack, Switch, Text } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { api } from '../../../api/client'
import { useAction } from '../../../api/use-action'
import { confirmDelete } from '../../../design/dialogs'
import { FormModal } from '../../../design/form-modal'
import { Answered } from '../../../design/page'
import { partOf } from '../../../design/part-of'
import { RowActions } from '../../../design/row-actions'
import { StateBadge } from '../../../design/values'
import { useTexts } from '../../../i18n/texts'
import { VoiceAgentFrame } from '../components/voice-agent-frame'
import { type Tool, toolsQuery, voiceAgentKey, voiceAgentQuery } from '../queries'
import { voiceAgentsTexts } from '../texts'
import { useToolTitle } from '../tool-titles'

const ToolForm = partOf(async () => import('../components/tool-form'), 'ToolForm')

export function ToolsPage() {
  const t = useTexts(voiceAgentsTexts)
  const { id } = useParams({ from: '/shell/admin/voice-agents/$id/tools' })
  const agent = useQuery(voiceAgentQuery(id))
  const query = useQuery(toolsQuery(id))
  /** The tool in the form; `new` for a new one. */
  const [edited, setEdited] = useState<Tool | 'new' | null>(null)
  const hasChanged = useRef<() => boolean>(() => false)
  return (
    <VoiceAgentFrame
      id={id}
      name={agent.data?.name}
      tab="tools"
      actions={
        <Button leftSection={<IconPlus size={18} />} onClick={() => setEdited('new')}>
          {t('newTool')}
        </Button>
      }
    >
      <Stack>
        <Text c="dimmed">{t('toolsHint')}</Text>
        <Answered query={query}>
          {({ data }) => (
            <Stack
              gap="sm"
              component="ul"
              p={0}
              m={0}
              style={{ listStyle: 'none' }}
              aria-label={t('tab_tools')}
            >
              {data.map((tool) => (
                <ToolCard
                  key={tool.id}
                  {...{ id, tool }}
                  onEdit={() => setEdited(tool)}
                  isInUse={agent.data?.settings.tools_id.includes(tool.id) ?? false}
                />
              ))}
            </Stack>
          )}
        </Answered>
      </Stack>
      <FormModal
        title={t(edited === 'new' ? 'newTool' : 'editTool')}
        opened={edited !== null}
        onClose={() => setEdited(null)}
        size="xl"
        hasChanged={() => hasChanged.current()}
      >
        {edited && (
          <ToolForm
            id={id}
            tool={edited === 'new' ? null : edited}
            onDone={() => setEdited(null)}
            onChanged={(isDirty) => (hasChanged.current = isDirty)}
          />
        )}
      </FormModal>
    </VoiceAgentFrame>
  )
}

interface Tools {
  data: Tool[]
}

function ToolCard({
  id,
  tool,
  isInUse,
  onEdit,
}: {
  id: string
  tool: Tool
  isInUse: boolean
  onEdit: () => void
}) {
  const t = useTexts(voiceAgentsTexts)
  const client = useQueryClient()
  const { name, description, tool_type, webhook_method, webhook_url, parameters, is_active } = tool
  const title = useToolTitle()(tool)
  const path = { id, toolId: tool.id }
  const key = toolsQuery(id).queryKey
  const turn = useAction({
    run: async (on: boolean) =>
      dataOf(api.PATCH('/voice-agents/{id}/tools/{toolId}', { params: { path }, body: { is_active: on } })),
    optimistic: {
      key,
      change: (cached: Tools, on: boolean) => ({
        ...cached,
        data: cached.data.map((one) => (one.id === tool.id ? { ...one, is_active: on } : one)),
      }),
    },
    changes: [voiceAgentKey(id)],
  })
  const remove = () =>
    confirmDelete({
      name,
      consequence: t('toolDeleted'),
      run: async () => dataOf(api.DELETE('/voice-agents/{id}/tools/{toolId}', { params: { path } })),
      onDone: () => void client.invalidateQueries({ queryKey: voiceAgentKey(id) }),
    })
  return (
    <Card withBorder component="li" padding="md">
      <Group justify="space-between" align="flex-start" gap="sm">
        <Stack gap={4} style={{ minWidth: 0, flex: '1 1 220px' }}>
          <Group gap="xs">
            <Text fw={600} style={{ overflowWrap: 'anywhere' }}>
              {title}
            </Text>
            {title !== name && <Code>{name}</Code>}
            <Text size="sm" c="dimmed">
              {t(tool_type)}
            </Text>
            {isInUse && <StateBadge tone="good">{t('inLatest')}</StateBadge>}
          </Group>
          <Text>{description}</Text>
          {webhook_url !== null && (
            <Code style={{ overflowWrap: 'anywhere' }}>
              {webhook_method} {webhook_url}
            </Code>
          )}
          <Text size="sm" c="dimmed">
            {t('takes', { parameters: Object.keys(parameters).join(', ') || t('nothingToTake') })}
          </Text>
        </Stack>
        <RowActions name={name} {...(tool_type === 'custom' && { onEdit, onDelete: remove })}>
          <Switch
            checked={is_active}
            aria-label={t('isOn', { name })}
            onChange={({ currentTarget }) => turn.mutate(currentTarget.checked)}
          />
        </RowActions>
      </Group>
    </Card>
  )
}
