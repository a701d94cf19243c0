/** Books credit manually, with an idempotency key: after a lost response the request can be repeated safely. */
import { randomUUID } from 'node:crypto'
import { ApiError, type JackfieldClient, dataOf } from '@jackfield/sdk'
import { Flags } from '@oclif/core'
import { workspaceFlag } from './base-command.js'

export const creditFlags = {
  ...workspaceFlag,
  amount: Flags.string({ description: 'USD', helpValue: '<USD>' }),
  note: Flags.string({ description: 'what it is for' }),
  key: Flags.string({
    description: 'of this booking: given again within a day, it is not booked a second time',
    helpValue: '<text>',
  }),
}

interface Booking {
  amount: number
  reason: 'top_up' | 'correction'
  note: string | undefined
  key: string | undefined
}

/** @param print gets a line on how to repeat the request, if its result is unknown */
export async function bookCredit(
  api: JackfieldClient,
  id: string,
  { amount, reason, note, key = randomUUID() }: Booking,
  print: (line: string) => void,
) {
  const params = { path: { id }, header: { 'Idempotency-Key': key } }
  const body = { amount, reason, ...(note && { note }) }
  try {
    return await dataOf(api.POST('/workspaces/{id}/credit', { params, body }))
  } catch (error) {
    if (!(error instanceof ApiError) || error.status >= 500)
      print(`It may have been booked. With --key ${key} it can be sent again, and is booked once.`)
    throw error
  }
}
