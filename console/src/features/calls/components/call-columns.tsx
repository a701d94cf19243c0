import type { components } from '@jackfield/sdk'
import type { ReactNode } from 'react'
import type { Column } from '../../../design/data-table'
import { Duration, Time } from '../../../design/values'
import { useTexts } from '../../../i18n/texts'
import { callsTexts } from '../texts'
import { CallStatusBadge, Direction } from './call-status'
import { Party } from './party'

/** What the list of the workspace's calls and that of an agent's own have in common. */
type ListedCall = components['schemas']['CallRecord'] | components['schemas']['AgentCall']

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
      render: ({ direction }) => <Direction direction={direction} />,
    },
    from: {
      key: 'from',
      header: t('from'),
      render: ({ from, from_name }) => <Party number={from} name={from_name} />,
    },
    to: { key: 'to', header: t('to'), render: ({ to, to_name }) => <Party number={to} name={to_name} /> },
    agent: { key: 'agent', header: t('agent'), render: ({ agent }) => agent?.display_name ?? '–' },
    status: {
      key: 'status',
      header: t('status'),
      render: ({ status }) => <CallStatusBadge status={status} />,
    },
    duration: {
      key: 'duration',
      header: t('duration'),
      align: 'right',
      render: ({ answered_at, duration }) => <Duration seconds={answered_at ? duration : null} />,
    },
  } as const satisfies Record<string, Column<Call>>
}
