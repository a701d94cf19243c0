/** Test calls of flows: a manager calls a flow in the browser and hears what callers hear, without a carrier. */
import { credentialOf } from '../../auth/credentials.js'
import { ownKey } from '../../../infrastructure/database/idempotency.js'
import type { Owner } from '../../../infrastructure/database/workspace-table.js'
import type { ManagingActor } from '../../../infrastructure/http/endpoint.js'
import { notFound } from '../../../infrastructure/http/errors.js'
import type { AppCallDesk, MadeAppCall } from '../session/app-call-desk.js'
import type { Flows } from '../script/script.js'
import { callerOf } from './calling-manager.js'

interface Services {
  desk: AppCallDesk
  flows: Pick<Flows, 'current'>
  flowTitle: (workspace: Owner, id: string) => Promise<string>
}

export class FlowCalls {
  constructor(private readonly services: Services) {}

  /**
   * Accepts a call of an app that runs a flow, as its numbers' calls do.
   * @throws 404 no such flow, 403 and 429 as {@link AppCallDesk.make}
   */
  async make(
    workspace: Owner,
    actor: ManagingActor,
    flowId: string,
    idempotencyKey: string | undefined,
  ): Promise<MadeAppCall> {
    const { desk, flows, flowTitle } = this.services
    const flow = await flows.current(workspace, flowId)
    if (!flow) throw notFound('Call flow not found')
    const title = await flowTitle(workspace, flowId)
    const { name, ...person } = callerOf(actor)
    const app = { ...person, credential: credentialOf(actor), isVideo: false }
    const key = idempotencyKey && ownKey('call flow', person.sub, idempotencyKey)
    return desk.make(workspace, app, { call_flow_id: flowId }, key, async () =>
      Promise.resolve({
        ...{ from: null, goesTo: null },
        ...{ from_number: name, from_name: name, to_number: title, to_name: title },
        agent_id: actor.kind === 'agent' ? actor.id : null,
        client_sub: actor.kind === 'agent' ? null : person.sub,
        ...{ program: 'flow', script: [], call_flow_id: flowId, call_flow_version_id: flow.versionId },
      }),
    )
  }
}
