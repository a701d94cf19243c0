/** The operator's lines over which numbers are called and texted with codes: numbers of a workspace of its own. */
import type { CallService } from '../../features/calls/api/call.service.js'
import type { MessageService } from '../../features/messages/message.service.js'
import { type CodeLine, noLine } from '../../features/phone-numbers/number-verification.js'
import type { PhoneNumberService } from '../../features/phone-numbers/phone-number.service.js'
import type { VerificationChannel } from '../../features/phone-numbers/number-verification.entity.js'

interface Parts {
  phoneNumbers: PhoneNumberService
  calls: CallService
  messages: Pick<MessageService, 'send'>
  /** The workspace's id; empty: the operator has no such line. */
  workspaceId: string
}

/** Seconds: who answers hears the code three times. */
const longest = 60

/** @throws {ApiError} 503 when the operator has no line for a channel */
export function verificationLines({ phoneNumbers, calls, messages, workspaceId }: Parts) {
  const workspace = { id: workspaceId }
  return async (channel: VerificationChannel): Promise<CodeLine> => {
    if (!workspaceId) throw noLine(channel)
    const number =
      channel === 'call'
        ? await phoneNumbers.findDefaultOutbound(workspace)
        : await phoneNumbers.findDefaultSender(workspace)
    if (!number) throw noLine(channel)
    const from = `+${number.number}`
    if (channel === 'text')
      return async (to, code) => {
        const body = `${code} is your code. It shows that this number is yours. If you did not ask for it, do nothing.`
        await messages.send(workspace, { type: 'system', id: null }, { from, to, body })
      }
    return async (to, code) => {
      const spoken = [...code].join(', ')
      const text = `Here is the code that shows that this number is yours. ${spoken}. Once more: ${spoken}. And again: ${spoken}. If you did not ask for it, hang up.`
      await calls.make(
        workspace,
        {
          ...{ to: { number: to }, from: { number: from }, max_duration: longest },
          actions: [{ action: 'tts', params: { text } }],
        },
        undefined,
      )
    }
  }
}
