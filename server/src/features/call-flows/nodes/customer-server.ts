/** What nodes that ask the customer's server have in common. */
import type { CallbackCall } from '../../callbacks/callback-call.js'
import type { ActionServices } from '../../calls/script/actions/action.js'
import { callbackProblems } from '../../calls/script/actions/shared-params.js'
import type { ScriptHost } from '../../calls/script/script.js'
import type { Owner } from '../../../infrastructure/database/workspace-table.js'
import type { FieldProblem } from '../../../infrastructure/http/errors.js'
import type { FlowState } from '../flow-state.js'
import { inParams } from './flow-node.js'

/** Checks the parameters `url` and `headers`. */
export function checkServer(
  _workspace: Owner,
  { params }: { params: Readonly<Record<string, unknown>> },
  services: ActionServices,
): FieldProblem[] {
  return inParams(callbackProblems({ url: 'url', headers: 'headers' }, params, services))
}

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
