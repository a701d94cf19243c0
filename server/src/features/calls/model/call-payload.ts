/** What the telemetry of a call has in common. */
import type { Call } from './call.entity.js'

export function payloadOf({ id, workspace_id: workspaceId, direction }: Call, at: Date) {
  return { callId: id, workspaceId, direction, at }
}
