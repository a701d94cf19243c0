import { useMemo } from 'react'
import { Text } from '@mantine/core'
import { PhoneNumber } from '../../../design/values'
import { useTexts } from '../../../i18n/texts'
import { type LiveCall, otherParty } from '../board'
import { liveTexts } from '../texts'
import { Since } from './since'
import { type VirtualColumn, VirtualTable } from './virtual-table'

/** Who waits for a free agent, the longest wait first. */
export function WaitingTable({
  calls,
  teamName,
}: {
  calls: readonly LiveCall[]
  teamName: (id: string) => string
}) {
  const t = useTexts(liveTexts)
  const columns = useMemo<VirtualColumn<LiveCall>[]>(
    () => [
      {
        key: 'caller',
        header: t('partner'),
        width: 'minmax(160px, 2fr)',
        render: (call) => {
          const { number, name } = otherParty(call)
          return (
            <>
              {name !== '' && name !== number && (
                <Text span truncate mr={6}>
                  {name}
                </Text>
              )}
              <PhoneNumber number={number} />
            </>
          )
        },
      },
      {
        key: 'team',
        header: t('team'),
        width: 'minmax(120px, 2fr)',
        render: ({ waiting }) => (waiting ? teamName(waiting.team_id) : null),
      },
      {
        key: 'wait',
        header: t('waitingSince'),
        width: '110px',
        render: ({ waiting }) => <Since at={waiting?.entered_at ?? null} />,
      },
    ],
    [t, teamName],
  )
  return (
    <VirtualTable label={t('waiting')} rows={calls} columns={columns} rowKey={({ call_id }) => call_id} />
  )
}
