/** What an agent can call of that which a text finds: the phone's own search, and a call with one key. */
import { IconPhone } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { fetched } from '../../api/fetched'
import { useRefusals } from '../../features/phone/components/refusals'
import { type Destination, destinationsQuery, keyOf } from '../../features/phone/destinations'
import { useTexts } from '../../i18n/texts'
import type { Entry, Group } from './entries'
import { paletteTexts } from './texts'

export interface Callable extends Entry {
  /** Of the agent, the team, the contact and so on; null for what has none. */
  id: string | null
}

/** A number that is typed is an action of its own. */
const groupOf: Readonly<Record<Destination['kind'], Group | null>> = {
  agent: 'people',
  team: 'teams',
  extension: 'extensions',
  sip_account: 'extensions',
  contact: 'contacts',
  phone_number: 'numbers',
  outside_number: null,
}

/** @param search null to ask for nothing */
export function useCallable(search: string | null) {
  const t = useTexts(paletteTexts)
  const navigate = useNavigate()
  const { refusalOfCall } = useRefusals()
  const { data, isFetching, isError } = useQuery({
    ...destinationsQuery(search ?? ''),
    enabled: search !== null,
    placeholderData: keepPreviousData,
    retry: false,
  })
  const call = async ({ target, name }: Destination) => {
    const { callNow } = await fetched(async () => import('../../features/phone/call-now'))
    // The phone's page has it for later, where a call runs.
    if (!(await callNow(target, name))) void navigate({ to: '/phone', search: { to: target } })
  }
  const found = (search === null ? [] : (data ?? [])).flatMap((one): Callable[] => {
    const { id, kind, name, number, extension, username } = one
    const group = groupOf[kind]
    if (group === null) return []
    const refusal = refusalOfCall(one)
    const details = [number ?? [extension, username].filter(Boolean).join(' · '), refusal].filter(Boolean)
    return [
      {
        ...{ id, key: `call ${keyOf(one)}`, group, icon: IconPhone },
        label: t('call', { number: name || (number ?? extension ?? one.target) }),
        ...(details.length > 0 && { hint: details.join(' · ') }),
        isRefused: refusal !== null,
        run: () => void call(one),
      },
    ]
  })
  return { found, isAsking: search !== null && isFetching, hasFailed: search !== null && isError }
}
