import { Select } from '@mantine/core'
import { IconUsersGroup } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { Answered, EmptyState, Page } from '../../../design/page'
import { useTexts } from '../../../i18n/texts'
import { ownTeamsQuery } from '../../presence/queries'
import { OwnTeam } from '../components/own-team'
import { ownTeamsMenu } from '../navigation'
import { ownTeamsTexts } from '../own-teams-texts'

export function OwnTeamsPage() {
  const t = useTexts(ownTeamsTexts)
  const { team: chosen } = useSearch({ from: '/shell/supervisor/own-teams' })
  const navigate = useNavigate({ from: '/own-teams' })
  const query = useQuery(ownTeamsQuery)
  return (
    <Page title={useTexts(ownTeamsMenu)('title')} description={t('description')}>
      <Answered query={query}>
        {({ data }) => {
          const team = data.find(({ id }) => id === chosen) ?? data[0]
          if (!team)
            return (
              <EmptyState icon={IconUsersGroup} title={t('noTeams')}>
                {t('noTeamsHint')}
              </EmptyState>
            )
          return (
            <>
              {data.length > 1 && (
                <Select
                  label={t('team')}
                  searchable
                  data={data.map(({ id, title }) => ({ value: id, label: title }))}
                  value={team.id}
                  allowDeselect={false}
                  onChange={(next) => void navigate({ search: next ? { team: next } : {} })}
                  maw={360}
                />
              )}
              <OwnTeam key={team.id} team={team} />
            </>
          )
        }}
      </Answered>
    </Page>
  )
}
