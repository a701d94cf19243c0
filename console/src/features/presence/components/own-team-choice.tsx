/** Choice of one of the user's own teams, for what is shown below it. */
import { Select } from '@mantine/core'
import { IconUsersGroup } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { ReactElement } from 'react'
import { Answered, EmptyState } from '../../../design/page'
import { useTexts } from '../../../i18n/texts'
import { type OwnTeam, ownTeamsQuery } from '../queries'
import { presenceTexts } from '../texts'

interface OwnTeamChoiceProps {
  /** Id of the selected team: the first one if the user is not in it. */
  chosen: string | null | undefined
  onChoose: (id: string | null) => void
  children: (team: OwnTeam) => ReactElement
}

export function OwnTeamChoice({ chosen, onChoose, children }: OwnTeamChoiceProps) {
  const t = useTexts(presenceTexts)
  return (
    <Answered query={useQuery(ownTeamsQuery)} rows={3}>
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
                onChange={onChoose}
                maw={360}
              />
            )}
            {children(team)}
          </>
        )
      }}
    </Answered>
  )
}
