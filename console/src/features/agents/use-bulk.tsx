/** What can be done with several agents at once. */
import { dataOf } from '@jackfield/sdk'
import { IconUserCheck, IconUserOff, IconUsersGroup } from '@tabler/icons-react'
import { api } from '../../api/client'
import type { BulkAction, BulkFieldProps } from '../../design/bulk-actions'
import { Picker } from '../../design/picker'
import { common } from '../../i18n/common'
import { useTexts } from '../../i18n/texts'
import { teamChoices, teamsKey } from '../teams/queries'
import { type Agent, agentsKey } from './queries'
import { agentsTexts } from './texts'

export function useBulk(): readonly BulkAction<Agent>[] {
  const t = useTexts(agentsTexts)
  const setActive =
    (is_active: boolean) =>
    async ({ id }: Agent) =>
      dataOf(api.PATCH('/agents/{id}', { params: { path: { id } }, body: { is_active } }))
  return [
    {
      ...{ key: 'team', label: t('addTeam'), icon: IconUsersGroup, Field: TeamField },
      question: (count) => t('teamQuestion', { count }),
      run: async ({ id: agent_id }, id) =>
        dataOf(api.PUT('/teams/{id}/agents/{agent_id}', { params: { path: { id, agent_id } } })),
      changes: [agentsKey, teamsKey],
    },
    {
      ...{ key: 'activate', label: t('activate'), icon: IconUserCheck },
      question: (count) => t('activateQuestion', { count }),
      run: setActive(true),
      changes: [agentsKey],
    },
    {
      ...{ key: 'deactivate', label: t('deactivate'), icon: IconUserOff },
      question: (count) => t('deactivateQuestion', { count }),
      consequence: t('activeHint'),
      run: setActive(false),
      changes: [agentsKey],
    },
  ]
}

function TeamField(field: BulkFieldProps) {
  const words = useTexts(common)
  return <Picker label={words('team')} source={teamChoices} required data-autofocus {...field} />
}
