/** The states of a message, and the ways between them (contract, Message status). */

export type MessageStatus =
  'queued' | 'sending' | 'sent' | 'delivered' | 'undelivered' | 'failed' | 'received'

/** States of a message; it begins as `queued` or `received`. */
export type NextStatus = Exclude<MessageStatus, 'queued' | 'received'>

/** The states that may precede each state. Other changes are ignored: receipts come late, and twice. */
export const statesBefore: Readonly<Record<NextStatus, readonly MessageStatus[]>> = {
  sending: ['queued'],
  sent: ['sending'],
  delivered: ['sent'],
  undelivered: ['sent'],
  failed: ['queued', 'sending'],
}

/** The event of each state; `sending` has none. */
export const eventsOf: Readonly<Partial<Record<MessageStatus, string>>> = {
  received: 'message.received',
  sent: 'message.sent',
  delivered: 'message.delivered',
  undelivered: 'message.undelivered',
  failed: 'message.failed',
}
