/** What the page of the audit log keeps in its address. */
import { type DayRange, beginOf, dayRangeOf, endOf } from '../../api/days'
import { type ListSearch, listQueryOf, listSearchOf, wordOf } from '../../api/lists'

export const actorKinds = ['operator', 'api_key', 'agent', 'client', 'system'] as const

type ActorKind = (typeof actorKinds)[number]

export type AuditSearch = ListSearch &
  DayRange & { workspace?: string; actor?: ActorKind; action?: string; target?: string }

/** `workspace`, or `workspace.update`: as the API takes it. */
const actionPattern = /^[a-z_]{1,32}(\.[a-z_]{1,31})?$/

export const isAction = (text: string) => actionPattern.test(text)

export function auditSearchOf(search: Record<string, unknown>): AuditSearch {
  const { workspace, action, target } = search
  const actor = wordOf(search['actor'], actorKinds)
  return {
    ...listSearchOf(search),
    ...dayRangeOf(search),
    ...(typeof workspace === 'string' && workspace && { workspace }),
    ...(actor && { actor }),
    ...(typeof action === 'string' && isAction(action) && { action }),
    ...(typeof target === 'string' && target && { target }),
  }
}

/** The newest come first unless the address says otherwise. */
export function auditQueryOf(search: AuditSearch) {
  const { page, limit } = listQueryOf(search, [])
  const { from, to, workspace, actor, action, target } = search
  return {
    ...{ page, limit, sort_order: search.order ?? ('desc' as const) },
    ...(workspace && { workspace_id: workspace }),
    ...(actor && { actor }),
    ...(action && { action }),
    ...(target && { target_id: target }),
    ...(from && { from: beginOf(from) }),
    ...(to && { to: endOf(to) }),
  }
}
