/** What the customer's own server wants done with a call (contract, Call-flow webhooks, 2). */
import type { ActionServices } from '../calls/actions/action.js'
import type { CallAction } from '../calls/call.schema.js'
import { readActions } from './answered-actions.js'
import type { CallbackCall } from './callback-call.js'
import type { CallbackClient, CallbackExchange, CallbackFailure } from './callback-client.js'

export type ActionsResult = ({ ok: true; actions: CallAction[] } | CallbackFailure) & {
  exchange: CallbackExchange
}

interface Options {
  client: CallbackClient
  actions: ActionServices
}

export class JsonCallAction {
  constructor(private readonly options: Options) {}

  /**
   * Asks for actions.
   * @param contactData what a contact lookup found earlier in the call, as text
   * @throws when the database cannot be asked for what the actions name
   */
  async ask(call: CallbackCall, url: string, contactData: string | null): Promise<ActionsResult> {
    const { workspace, call_id, call_flow_id, caller_number, destination_number } = call
    const answer = await this.options.client.ask({
      ...{ workspace, url, callId: call_id },
      event: 'call_flow.jca',
      body: {
        ...{ call_id, workspace_id: workspace.id, call_flow_id },
        ...{ caller_number, destination_number, contact_data: contactData },
      },
    })
    if (!answer.ok) return answer
    const read = await readActions(workspace, answer.json, this.options.actions)
    return { ...read, exchange: answer.exchange }
  }
}
