/** What the customer's own server wants done with a call (contract, Call-flow webhooks, 2). */
import { type AnsweredActions, readActions } from './answered-actions.js'
import type { CallbackCall } from './callback-call.js'
import type {
  CallbackClient,
  CallbackExchange,
  CallbackFailure,
  CallbackServer,
} from '../../infrastructure/callbacks/callback-client.js'

export type ActionsResult = (AnsweredActions | CallbackFailure) & {
  exchange: CallbackExchange
}

export class JsonCallAction {
  constructor(private readonly client: CallbackClient) {}

  /**
   * Asks for actions.
   * @param contactData what a contact lookup found earlier in the call, as text
   */
  async ask(call: CallbackCall, server: CallbackServer, contactData: string | null): Promise<ActionsResult> {
    const { workspace, call_id, call_flow_id, caller_number, destination_number } = call
    const answer = await this.client.ask({
      ...{ workspace, server, callId: call_id },
      event: 'call_flow.jca',
      body: {
        ...{ call_id, workspace_id: workspace.id, call_flow_id },
        ...{ caller_number, destination_number, contact_data: contactData },
      },
    })
    if (!answer.ok) return answer
    return { ...readActions(answer.json), exchange: answer.exchange }
  }
}
