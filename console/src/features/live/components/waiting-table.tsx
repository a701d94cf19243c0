import { useMemo } from 'react'
import { countOf } from '../../../design/values'
import { useTexts } from '../../../i18n/texts'
import type { LiveCall } from '../board'
import { liveTexts } from '../texts'
import { type DetailsFor, DetailsLink } from './details-link'
import { PartyLine } from './party-line'
import { Since } from './since'
import { type VirtualColumn, VirtualTable } from './virtual-table'

interface WaitingTableProps {
  calls: readonly LiveCall[]
  /** Queue positions, by call. */
  places: ReadonlyMap<string, number>
  teamName: (id: string) => string
  details: DetailsFor | null
}

/** Callers waiting in queues, the longest wait first. */
export function WaitingTable({ calls, places, teamName, details }: WaitingTableProps) {
  const t = useTexts(liveTexts)
  const columns = useMemo(() => {
    const list: VirtualColumn<LiveCall>[] = [
      {
        key: 'caller',
        header: t('partner'),
        width: 'minmax(10rem, 2fr)',
        render: ({ far_party }) => <PartyLine party={far_party} />,
      },
      {
        key: 'called',
        header: t('called'),
        width: 'minmax(10rem, 2fr)',
        render: ({ to }) => <PartyLine party={to} />,
      },
      {
        key: 'team',
        header: t('team'),
        width: 'minmax(7.5rem, 2fr)',
        render: ({ waiting }) => (waiting ? teamName(waiting.team_id) : null),
      },
      {
        key: 'place',
        header: t('place'),
        width: '5.25rem',
        render: ({ call_id }) => countOf(places.get(call_id) ?? 0),
      },
      {
        key: 'wait',
        header: t('waitingSince'),
        width: '6.875rem',
        render: ({ waiting }) => <Since at={waiting?.entered_at ?? null} />,
      },
    ]
    // Supervisors have no page for it yet: a team's history has only calls that rang its agents.
    if (details === 'admin') {
      list.push({
        key: 'details',
        header: t('more'),
        width: '5.25rem',
        render: (call) => <DetailsLink call={call} person={details} />,
      })
    }
    return list
  }, [t, teamName, places, details])
  return (
    <VirtualTable label={t('waiting')} rows={calls} columns={columns} rowKey={({ call_id }) => call_id} />
  )
}
