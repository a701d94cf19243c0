import type { components } from '@jackfield/sdk'
import type { ReactNode } from 'react'
import type { Column } from '../../../design/data-table'
import { Duration, Time } from '../../../design/values'
import { useTexts } from '../../../i18n/texts'
import { callsTexts } from '../texts'
import { CallOutcomeBadge, HandledBy } from './call-outcome'
import { Direction } from './call-status'
import { PartyOf } from './party'

/** What the list of the workspace's calls and that of an agent's own have in common. */
type ListedCall =
  components['schemas']['CallRecord'] | components['schemas']['AgentCall'] | components['schemas']['OwnCall']

/**
 * Columns of a list of calls, by name.
 * @param linkTo the page of a call
 */
export function useCallColumns<Call extends ListedCall>(
  linkTo: (call: Call, children: ReactNode) => ReactNode,
) {
  const t = useTexts(callsTexts)
  return {
    began: {
      key: 'created_at',
      header: t('began'),
      render: (call): ReactNode => linkTo(call, <Time at={call.created_at} exact />),
    },
    direction: {
      key: 'direction',
      header: t('direction'),
      render: ({ direction }) => <Direction direction={direction} isBrief />,
    },
    from: {
      key: 'from',
      header: t('from'),
      render: (call) => <PartyOf call={call} side="from" />,
    },
    to: { key: 'to', header: t('to'), render: (call) => <PartyOf call={call} side="to" /> },
    team: { key: 'team', header: t('team'), render: ({ team }) => team?.title ?? '–' },
    handledBy: { key: 'handled_by', header: t('handledBy'), render: (call) => <HandledBy call={call} /> },
    outcome: { key: 'outcome', header: t('outcome'), render: (call) => <CallOutcomeBadge call={call} /> },
    wait: {
      key: 'wait_seconds',
      header: t('wait'),
      align: 'right',
      render: ({ wait_seconds }) => <Duration seconds={wait_seconds} />,
    },
    talk: {
      key: 'talk_seconds',
      header: t('talk'),
      align: 'right',
      render: ({ talk_seconds }) => <Duration seconds={talk_seconds} />,
    },
  } as const satisfies Record<string, Column<Call>>
}
