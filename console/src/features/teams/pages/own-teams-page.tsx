import { useNavigate, useSearch } from '@tanstack/react-router'
import { Page } from '../../../design/page'
import { useTexts } from '../../../i18n/texts'
import { OwnTeamChoice } from '../../presence/components/own-team-choice'
import { OwnTeam } from '../components/own-team'
import { ownTeamsTexts } from '../texts'

export function OwnTeamsPage() {
  const t = useTexts(ownTeamsTexts)
  const { team: chosen } = useSearch({ from: '/shell/supervisor/own-teams' })
  const navigate = useNavigate({ from: '/own-teams' })
  return (
    <Page title={t('heading')} description={t('description')}>
      <OwnTeamChoice
        chosen={chosen}
        onChoose={(team) => void navigate({ search: team === null ? {} : { team } })}
      >
        {(team) => <OwnTeam key={team.id} team={team} />}
      </OwnTeamChoice>
    </Page>
  )
}
