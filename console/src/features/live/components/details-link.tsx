import { ActionIcon } from '@mantine/core'
import { IconListDetails } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { Person } from '../../../app/people'
import { useTexts } from '../../../i18n/texts'
import { type LiveCall, otherParty } from '../board'
import { liveTexts } from '../texts'

/** Links to the call's page: admins see all calls, supervisors those of their teams. */
export type DetailsFor = Extract<Person, 'supervisor' | 'admin'>

/** For a user who is both, the admin's page shows more. */
export function detailsFor(people: ReadonlySet<Person>): DetailsFor | null {
  if (people.has('admin')) return 'admin'
  return people.has('supervisor') ? 'supervisor' : null
}

export function DetailsLink({ call, person }: { call: LiveCall; person: DetailsFor }) {
  const t = useTexts(liveTexts)
  const { name, number } = otherParty(call)
  return (
    <ActionIcon
      variant="subtle"
      aria-label={t('details', { who: name || number })}
      renderRoot={(props) =>
        person === 'admin' ? (
          <Link {...props} to="/calls/$id" params={{ id: call.call_id }} />
        ) : (
          <Link {...props} to="/history/$callId" params={{ callId: call.call_id }} />
        )
      }
    >
      <IconListDetails size="1.125rem" />
    </ActionIcon>
  )
}
