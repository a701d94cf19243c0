/** Sets an agent's state. */
import { dataOf } from '@jackfield/sdk'
import { ActionIcon, Menu } from '@mantine/core'
import { IconCheck, IconDotsVertical } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { api } from '../../../api/client'
import { useAction } from '../../../api/use-action'
import { textOf, useTexts } from '../../../i18n/texts'
import { stateWords } from '../../presence/texts'
import type { Board, LiveAgent } from '../board'
import { boardKey } from '../queries'
import { liveTexts } from '../texts'

const choosable = ['available', 'busy', 'offline'] as const

export function StateMenu({ agent, teamId }: { agent: LiveAgent; teamId: string }) {
  const t = useTexts(liveTexts)
  const words = useTexts(stateWords)
  const client = useQueryClient()
  const { username, display_name: who } = agent
  const choose = useAction<
    (typeof choosable)[number],
    Pick<LiveAgent, 'agent_id' | 'state' | 'chosen_state'>
  >({
    run: async (state) =>
      dataOf(
        api.PUT('/call-center/teams/{team_id}/agents/{username}/state', {
          params: { path: { team_id: teamId, username } },
          body: { state },
        }),
      ),
    onDone: (chosen) => {
      client.setQueriesData<Board>({ queryKey: boardKey }, (board) => board && withAgent(board, chosen))
    },
    done: (_, state) => textOf(liveTexts, 'stateSet', { who, state: textOf(stateWords, state) }),
  })
  return (
    <Menu position="bottom-end" withInitialFocusPlaceholder={false}>
      <Menu.Target>
        <ActionIcon variant="subtle" aria-label={t('setState', { who })} loading={choose.isPending}>
          <IconDotsVertical size="1.125rem" />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{t('setState', { who })}</Menu.Label>
        {choosable.map((state) => (
          <Menu.Item
            key={state}
            leftSection={
              agent.chosen_state === state ? <IconCheck size="1rem" /> : <span style={{ width: '1rem' }} />
            }
            onClick={() => choose.mutate(state)}
          >
            {words(state)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}

function withAgent(board: Board, chosen: Pick<LiveAgent, 'agent_id'>): Board {
  const agents = board.agents.map((one) => (one.agent_id === chosen.agent_id ? { ...one, ...chosen } : one))
  return { ...board, agents }
}
