import { Anchor } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import { countOf } from '../../../design/values'
import { useTexts } from '../../../i18n/texts'
import { stateWords } from '../../presence/texts'
import type { Figures, LiveTeam } from '../board'
import { liveTexts } from '../texts'
import { Since } from './since'
import { type VirtualColumn, VirtualTable } from './virtual-table'

type TeamRow = LiveTeam & { figures: Figures }

/** Each team's agents by state, calls and queue. */
export function TeamsTable({
  teams,
  figures,
}: {
  teams: readonly LiveTeam[]
  figures: ReadonlyMap<string, Figures>
}) {
  const t = useTexts(liveTexts)
  const words = useTexts(stateWords)
  const rows = useMemo(
    () =>
      teams.flatMap((team) => {
        const own = figures.get(team.id)
        return own ? [{ ...team, figures: own }] : []
      }),
    [teams, figures],
  )
  const columns = useMemo<VirtualColumn<TeamRow>[]>(() => {
    const count = (
      key: string,
      header: string,
      of: (figures: Figures) => number,
    ): VirtualColumn<TeamRow> => ({
      ...{ key, header, width: 'minmax(5rem, 1fr)' },
      render: ({ figures }) => countOf(of(figures)),
    })
    return [
      {
        key: 'team',
        header: t('team'),
        width: 'minmax(8.75rem, 2fr)',
        render: ({ id, title }) => (
          <Anchor
            renderRoot={(props) => (
              <Link {...props} to="/live" search={(before) => ({ ...before, show: 'calls', team: id })} />
            )}
          >
            {title}
          </Anchor>
        ),
      },
      count('waiting', t('waiting'), ({ waiting }) => waiting),
      {
        key: 'longest',
        header: t('longestWait'),
        width: 'minmax(6.875rem, 1fr)',
        render: ({ figures }) => <Since at={figures.waitingSince} />,
      },
      count('calls', t('calls'), ({ calls }) => calls),
      count('available', words('available'), ({ states }) => states.available),
      count('ringing', words('ringing'), ({ states }) => states.ringing),
      count('incall', words('incall'), ({ states }) => states.incall),
      count('busy', words('busy'), ({ states }) => states.busy),
      count('offline', words('offline'), ({ states }) => states.offline),
    ]
  }, [t, words])
  return <VirtualTable label={t('teams')} rows={rows} columns={columns} rowKey={({ id }) => id} />
}
