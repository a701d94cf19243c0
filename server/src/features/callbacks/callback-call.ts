import type { Owner } from '../../infrastructure/database/workspace-table.js'

/** The call that a customer's server is asked about. */
export interface CallbackCall {
  workspace: Owner
  call_id: string
  call_flow_id: string
  /** E.164 with the plus sign, or whatever else the caller is called. */
  caller_number: string
  destination_number: string
}
