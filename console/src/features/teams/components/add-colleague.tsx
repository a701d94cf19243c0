import { dataOf } from '@jackfield/sdk'
import { api } from '../../../api/client'
import { colleagueChoices } from '../../../api/colleagues'
import { useTexts } from '../../../i18n/texts'
import { teammatesKey } from '../../presence/queries'
import { ownTeamsTexts } from '../texts'
import { AddPerson } from './add-person'

/** A leader adds an agent to a team of their own. */
export function AddColleague({ teamId: id }: { teamId: string }) {
  const t = useTexts(ownTeamsTexts)
  return (
    <AddPerson
      label={t('colleague')}
      action={t('add')}
      source={colleagueChoices}
      add={async (agent_id) =>
        dataOf(api.PUT('/call-center/teams/{id}/agents/{agent_id}', { params: { path: { id, agent_id } } }))
      }
      changes={[teammatesKey]}
    />
  )
}
