/** What the inbox keeps in its URL. */
import { wordOf } from '../../api/lists'

const views = ['mine', 'unassigned', 'all'] as const
export type View = (typeof views)[number]

/** Assignee filter. */
export interface ConversationFilter {
  /** Default: `all`. */
  view?: View
  /** Default: `open`. */
  status?: 'closed'
  unread?: true
  search?: string
  /** Id of one of the workspace's numbers. */
  number?: string
}

export interface InboxSearch extends ConversationFilter {
  /** Id of the open conversation. */
  conversation?: string
}

/** Parses the inbox's URL; invalid values are dropped. */
export function inboxSearchOf(search: Record<string, unknown>): InboxSearch {
  const { unread, search: text } = search
  const view = wordOf(search['view'], views)
  const [number, conversation] = [idOf(search['number']), idOf(search['conversation'])]
  return {
    ...(view && view !== 'all' && { view }),
    ...(search['status'] === 'closed' && { status: 'closed' as const }),
    ...((unread === true || unread === 'true') && { unread: true as const }),
    ...(typeof text === 'string' && text !== '' && { search: text.slice(0, 100) }),
    ...(typeof text === 'number' && { search: String(text) }),
    ...(number && { number }),
    ...(conversation && { conversation }),
  }
}

export function filterOf({ conversation: _, ...filter }: InboxSearch): ConversationFilter {
  return filter
}

function idOf(value: unknown): string | undefined {
  return typeof value === 'string' && /^[a-z]+_[0-9a-z]{1,40}$/.test(value) ? value : undefined
}
