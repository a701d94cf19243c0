import { dataOf } from '@jackfield/sdk'
import { Button, Group } from '@mantine/core'
import { useState } from 'react'
import { api } from '../../../api/client'
import { useAction } from '../../../api/use-action'
import { Picker } from '../../../design/picker'
import { useTexts } from '../../../i18n/texts'
import { agentChoices } from '../../agents/queries'
import { teamsKey } from '../queries'
import { teamsTexts } from '../texts'

/** Puts one more agent into a team. */
export function AddAgent({ teamId }: { teamId: string }) {
  const t = useTexts(teamsTexts)
  const [agentId, setAgentId] = useState<string | null>(null)
  const adding = useAction({
    run: async (agent_id: string) =>
      dataOf(api.PUT('/teams/{id}/agents/{agent_id}', { params: { path: { id: teamId, agent_id } } })),
    changes: [teamsKey],
    onDone: () => setAgentId(null),
  })
  return (
    <Group align="flex-end" gap="sm">
      <Picker
        label={t('agent')}
        source={agentChoices}
        value={agentId}
        onChange={setAgentId}
        style={{ flex: '1 1 220px', maxWidth: 360 }}
      />
      <Button
        disabled={agentId === null}
        loading={adding.isPending}
        onClick={() => agentId !== null && adding.mutate(agentId)}
      >
        {t('addAgent')}
      </Button>
    </Group>
  )
}
