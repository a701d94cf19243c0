import type { components, paths } from '@jackfield/sdk'
import { dataOf } from '@jackfield/sdk'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api } from '../../api/client'
import { type ListSearch, listQueryOf, listSearchOf, wordOf } from '../../api/lists'
import { askedEvents, testEvent } from './events'
import { keyOf, listQuery } from '../../api/resources'

export type Webhook = components['schemas']['Webhook']
export type Delivery = components['schemas']['WebhookDelivery']
export type DeliveryDetail = components['schemas']['WebhookDeliveryDetail']

/** Key of the webhooks. */
export const webhooksKey = keyOf('/webhooks')
/** Key of their deliveries. */
export const deliveriesKey = ['webhook-deliveries'] as const

/** Polling interval while a delivery is in progress; slower while one waits for its retry. */
const watchedMs = 2_000
const waitingMs = 10_000

function watchedEvery(deliveries: readonly Pick<Delivery, 'status' | 'next_attempt_at'>[]): number | false {
  const pending = deliveries.filter(({ status }) => status === 'pending')
  if (pending.length === 0) return false
  const soon = Date.now() + waitingMs
  return pending.some(({ next_attempt_at: next }) => next !== null && Date.parse(next) < soon)
    ? watchedMs
    : waitingMs
}

const webhookList = listQuery('/webhooks', ['created_at', 'title'])

export const webhooksQuery = (search: ListSearch) =>
  queryOptions({
    ...webhookList(search),
    refetchInterval: waitingMs,
  })

export const webhookQuery = (id: string) =>
  queryOptions({
    queryKey: [...webhooksKey, 'one', id],
    queryFn: async ({ signal }) => dataOf(api.GET('/webhooks/{id}', { params: { path: { id } }, signal })),
    refetchInterval: waitingMs,
  })

export const deliveryStates = ['pending', 'delivered', 'failed'] as const
export const sentEvents = [...askedEvents, testEvent] as const

type DeliveryFilter = NonNullable<paths['/webhooks/{id}/deliveries']['get']['parameters']['query']>

export type DeliveriesSearch = ListSearch & Pick<DeliveryFilter, 'status' | 'event'>

export function deliveriesSearchOf(search: Record<string, unknown>): DeliveriesSearch {
  const status = wordOf(search['status'], deliveryStates)
  const event = wordOf(search['event'], sentEvents)
  return { ...listSearchOf(search), ...(status && { status }), ...(event && { event }) }
}

export const deliveriesQuery = (id: string, search: DeliveriesSearch) =>
  queryOptions({
    queryKey: [...deliveriesKey, id, 'list', search],
    queryFn: async ({ signal }) => {
      const { status, event } = search
      const query = {
        ...listQueryOf({ sort: 'created_at', order: 'desc', ...search }, ['created_at']),
        ...(status && { status }),
        ...(event && { event }),
      }
      return dataOf(api.GET('/webhooks/{id}/deliveries', { params: { path: { id }, query }, signal }))
    },
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => watchedEvery(state.data?.data ?? []) || waitingMs,
  })

export const deliveryQuery = (id: string, delivery_id: string) =>
  queryOptions({
    queryKey: [...deliveriesKey, id, 'one', delivery_id],
    queryFn: async ({ signal }) =>
      dataOf(
        api.GET('/webhooks/{id}/deliveries/{delivery_id}', { params: { path: { id, delivery_id } }, signal }),
      ),
    refetchInterval: ({ state }) => watchedEvery(state.data ? [state.data] : []),
  })
