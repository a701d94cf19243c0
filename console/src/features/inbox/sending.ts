/**
 * Messages that are on their way to the API. They are shown at once; what the API refuses stays, with its reason, to be
 * sent again or discarded; what found no server is sent again when it is back. One key goes with all tries of a
 * message, so that it is sent once. They outlive their page, not their tab, nor the session of who wrote them.
 */
import { ApiError, dataOf } from '@jackfield/sdk'
import { useSyncExternalStore } from 'react'
import { api } from '../../api/client'
import { connectionNow, onConnectionChange } from '../../api/connection'
import { messageOf } from '../../api/errors'
import { newKey } from '../../api/idempotency'
import { queryClient } from '../../api/query-client'
import { catchUp, putMessages } from './live-cache'
import { onPersonChange } from '../../session/session'

export interface Outgoing {
  /** The `Idempotency-Key` of all tries. */
  readonly key: string
  readonly conversationId: string
  readonly body: string
  readonly media_urls: readonly string[]
  /** ISO 8601. */
  readonly written_at: string
  /** Why it is not sent; null while it is being sent. */
  readonly problem: string | null
  /** The server was not reached: it is tried again by itself. */
  readonly isLost: boolean
}

let outgoing: readonly Outgoing[] = []
const listeners = new Set<() => void>()

function change(next: readonly Outgoing[]): void {
  outgoing = next
  for (const listener of listeners) listener()
}

function replace(key: string, changes: Partial<Outgoing>): void {
  change(outgoing.map((one) => (one.key === key ? { ...one, ...changes } : one)))
}

/** Sends a reply. */
export function sendReply(conversationId: string, body: string, media_urls: readonly string[]): void {
  const key = newKey()
  const written_at = new Date().toISOString()
  const message = { key, conversationId, body, media_urls, written_at, problem: null, isLost: false }
  change([...outgoing, message])
  void attempt(message)
}

export function sendAgain(message: Outgoing): void {
  replace(message.key, { problem: null, isLost: false })
  void attempt(message)
}

export function discard({ key }: Pick<Outgoing, 'key'>): void {
  change(outgoing.filter((one) => one.key !== key))
}

/** Those of one conversation that have not been accepted yet. */
export function useOutgoing(conversationId: string): readonly Outgoing[] {
  const all = useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => outgoing,
  )
  return all.filter((one) => one.conversationId === conversationId)
}

async function attempt({ key, conversationId, body, media_urls }: Outgoing): Promise<void> {
  try {
    const message = await dataOf(
      api.POST('/call-center/conversations/{id}/messages', {
        params: { path: { id: conversationId }, header: { 'Idempotency-Key': key } },
        body: { body, media_urls: [...media_urls] },
      }),
    )
    putMessages(queryClient, conversationId, [message])
    discard({ key })
    // Another's message may stand between what is known and this one.
    await catchUp(queryClient, conversationId).catch(() => undefined)
  } catch (error) {
    replace(key, { problem: messageOf(error), isLost: !(error instanceof ApiError) })
  }
}

onConnectionChange(() => {
  if (connectionNow() !== 'up') return
  for (const message of outgoing) if (message.isLost) sendAgain(message)
})

onPersonChange(() => change([]))
