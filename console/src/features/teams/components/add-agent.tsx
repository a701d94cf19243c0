import { dataOf } from '@jackfield/sdk'
import { api } from '../../../api/client'
import { useTexts } from '../../../i18n/texts'
import { agentChoices } from '../../agents/queries'
import { teamsKey } from '../queries'
import { teamsTexts } from '../texts'
import { AddPerson } from './add-person'

/** An admin adds an agent to a team. */
export function AddAgent({ teamId: id }: { teamId: string }) {
  const t = useTexts(teamsTexts)
  return (
    <AddPerson
      label={t('agent')}
      action={t('addAgent')}
      source={agentChoices}
      add={async (agent_id) =>
        dataOf(api.PUT('/teams/{id}/agents/{agent_id}', { params: { path: { id, agent_id } } }))
      }
      changes={[teamsKey]}
    />
  )
}
