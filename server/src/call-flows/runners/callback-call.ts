import type { CallbackCall } from '../../callbacks/callback-call.js'
import type { ScriptHost } from '../../calls/script.js'
import type { FlowState } from '../flow-state.js'

/** The call in the form that a customer's server gets. */
export function callbackCall({ call }: ScriptHost, state: FlowState): CallbackCall {
  return {
    workspace: { id: call.workspace_id },
    call_id: call.id,
    call_flow_id: call.call_flow_id ?? '',
    caller_number: state.caller_number,
    destination_number: state.called_number,
  }
}
