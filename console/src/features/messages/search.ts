/** What the lists of messages and opt-outs keep in their URLs. */
import type { components } from '@jackfield/sdk'
import { type DayRange, beginOf, dayRangeOf, endOf } from '../../api/days'
import { type ListSearch, listSearchOf, wordOf } from '../../api/lists'

export type MessageStatus = components['schemas']['Message']['status']

export const messageStatuses = [
  ...(['queued', 'sending', 'sent', 'delivered', 'undelivered', 'failed', 'received'] as const),
]
export const directions = ['inbound', 'outbound'] as const

export interface OptOutsSearch extends ListSearch, DayRange {
  /** Id of one of the workspace's numbers. */
  number?: string
}

export interface MessagesSearch extends OptOutsSearch {
  status?: MessageStatus
  direction?: (typeof directions)[number]
}

export function optOutsSearchOf(search: Record<string, unknown>): OptOutsSearch {
  const { number } = search
  return { ...listSearchOf(search), ...dayRangeOf(search), ...(typeof number === 'string' && { number }) }
}

export function messagesSearchOf(search: Record<string, unknown>): MessagesSearch {
  const status = wordOf(search['status'], messageStatuses)
  const direction = wordOf(search['direction'], directions)
  return {
    ...optOutsSearchOf(search),
    ...(status && { status }),
    ...(direction && { direction }),
  }
}

/** Filters of the URL as API parameters, besides those of every list. */
export function messageFilterOf({ status, direction, ...search }: MessagesSearch) {
  return {
    ...(status && { status }),
    ...(direction && { direction }),
    ...optOutFilterOf(search),
  }
}

/** The same for opt-outs. */
export function optOutFilterOf({ number, from, to }: OptOutsSearch) {
  return {
    ...(number && { phone_number_id: number }),
    ...(from && { from: beginOf(from) }),
    ...(to && { to_date: endOf(to) }),
  }
}
