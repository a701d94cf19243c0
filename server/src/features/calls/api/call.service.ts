/** Calls: make, control and read them. */
import { newId } from '../../../infrastructure/database/ids.js'
import type { Owner } from '../../../infrastructure/database/workspace-table.js'
import { badRequest, invalidField, notFound } from '../../../infrastructure/http/errors.js'
import type { Page } from '../../../infrastructure/http/lists.js'
import { checkActions } from '../script/actions/index.js'
import type { ActionServices } from '../script/actions/action.js'
import type { CallLeg } from '../model/call-leg.entity.js'
import type { CallEvent } from '../model/call-event.entity.js'
import { type MakeCall, type UpdateActions, maxCallSeconds } from '../model/call.schema.js'
import type { CallStore } from '../model/call-store.js'
import type { Call } from '../model/call.entity.js'
import { type LiveCalls, overSwitch } from '../session/live-calls.js'
import { type AcceptedCall, type OutboundCalls, newCall } from '../session/outbound-calls.js'
import type { Flows } from '../script/script.js'
import type { StoredScripts } from '../script/stored-scripts.js'
import { scripted } from '../session/live-call.js'
import { canceled } from '../model/termination.js'

/** Response of making a call. */
export interface MadeCall {
  call_id: string
  status: 'created'
  direction: 'outbound'
  from: { name: string; number: string }
  to: { name: string; number: string }
  job_id: string
  job_status: 'queued'
}

interface Options {
  store: CallStore
  live: LiveCalls
  outbound: OutboundCalls
  actions: ActionServices
  scripts: StoredScripts
  flows: Flows
}

export class CallService {
  constructor(private readonly options: Options) {}

  /**
   * Accepts an outbound call; it is placed as soon as it is written.
   * @throws 400 for an invalid party, script or number, 403 without credit, for a blocked country and at the limit of
   * concurrent calls, 429 over the limit of calls per second
   */
  async make(workspace: Owner, input: MakeCall, idempotencyKey: string | undefined): Promise<MadeCall> {
    const accept = async () => this.accept(workspace, input)
    return this.options.outbound.make(workspace, idempotencyKey, input, accept)
  }

  private async accept(workspace: Owner, input: MakeCall): Promise<AcceptedCall<MadeCall>> {
    const { actions, outbound } = this.options
    const program = await this.scriptOf(workspace, input)
    const to = await actions.routing.party(workspace, input.to.number, 'to.number')
    const { number: from, shown: fromNumber } = await actions.routing.caller(
      workspace,
      input.from?.number,
      to,
    )
    const { mayLast, hold } = await outbound.admit(workspace, to, from)
    const toNumber = to.kind === 'number' ? `+${to.number.digits}` : to.dialled
    const call: Call = {
      ...newCall(outbound.cell),
      id: newId('call'),
      workspace_id: workspace.id,
      direction: 'outbound',
      from_number: fromNumber,
      from_name: input.from?.name ?? fromNumber,
      to_number: toNumber,
      to_name: input.to.name ?? toNumber,
      phone_number_id: from?.id ?? null,
      sip_account_id: null,
      agent_id: null,
      max_duration: Math.min(input.max_duration ?? maxCallSeconds, mayLast),
      line: 'called',
      ...program,
    }
    const jobId = newId('job')
    const answer: MadeCall = {
      call_id: call.id,
      status: 'created',
      direction: 'outbound',
      from: { name: call.from_name, number: call.from_number },
      to: { name: call.to_name, number: call.to_number },
      job_id: jobId,
      job_status: 'queued',
    }
    return { call, hold, jobId, answer }
  }

  /**
   * Replaces the remaining actions of a call and starts the new ones at once; or appends them.
   * @throws 400 when the call is not answered or its media is not ready, 404
   */
  async changeActions(
    workspace: Owner,
    id: string,
    { actions: script, mode = 'replace' }: UpdateActions,
  ): Promise<{ queued: boolean }> {
    const call = await this.get(workspace, id)
    if (isOfPhones(call)) throw badRequest('A call that a phone made runs no actions')
    const origin = { forOutbound: call.direction === 'outbound' }
    await checkActions(workspace, script, this.options.actions, origin)
    const { scripts, live } = this.options
    if (mode === 'push') {
      if (!(await scripts.push(call, script))) throw await this.notRunning(call)
      scripted(live.known(id))?.actionsPushed()
      return { queued: true }
    }
    const revision = await scripts.replace(call, script)
    if (revision === null) throw await this.notRunning(call)
    // A call that is not recovered yet gets them when it is.
    scripted(live.known(id))?.replaceScript(script, revision)
    return { queued: true }
  }

  private async notRunning({ workspace_id, id }: Call): Promise<Error> {
    const { status, program, live } = await this.get({ id: workspace_id }, id)
    const now = program === 'over' && live ? 'being hung up' : status
    return badRequest(`The call must be started or active to change its actions; it is ${now}`)
  }

  /**
   * Hangs up a call, or cancels its dial.
   * @throws 400 when it has ended, 404, 503 during recovery
   */
  async hangUp(workspace: Owner, id: string): Promise<Call> {
    const call = await this.get(workspace, id)
    if (!call.live) throw badRequest('The call has ended')
    if (!(await this.hangUpLive(id))) {
      await this.options.store.ended(call, { ...canceled('server'), endedAt: new Date() })
      // It may have been placed at the same moment.
      await this.hangUpLive(id)
    }
    return this.get(workspace, id)
  }

  /** @returns false if no session drives the call */
  private async hangUpLive(id: string): Promise<boolean> {
    const session = await this.options.live.find(id)
    if (session) await overSwitch(async () => session.hangUp('NORMAL_CLEARING'))
    return session !== undefined
  }

  /** @throws 404 */
  async get(workspace: Owner, id: string): Promise<Call> {
    const call = await this.options.store.find(workspace, id)
    if (!call) throw notFound(`Call ${id} not found`)
    return call
  }

  /** All legs, failed ones included, oldest first. */
  async legs(call: Call): Promise<CallLeg[]> {
    return this.options.store.legsOf(call.id)
  }

  /** @throws 404 */
  async events(
    workspace: Owner,
    id: string,
    page: { page: number; limit: number },
  ): Promise<Page<CallEvent>> {
    return this.options.store.timeline(await this.get(workspace, id), page)
  }

  private async scriptOf(
    workspace: Owner,
    input: MakeCall,
  ): Promise<Pick<Call, 'program' | 'script' | 'call_flow_id' | 'call_flow_version_id'>> {
    const { call_flow_id = null, actions: script = [] } = input
    if (call_flow_id === null) {
      await checkActions(workspace, script, this.options.actions, { forOutbound: true })
      return { program: 'script', script, call_flow_id, call_flow_version_id: null }
    }
    if (input.actions) throw invalidField('call_flow_id', 'call_flow_id and actions exclude each other')
    const flow = await this.options.flows.current(workspace, call_flow_id)
    if (!flow) throw invalidField('call_flow_id', 'call_flow_id is not a call flow of this workspace')
    return { program: 'flow', script, call_flow_id, call_flow_version_id: flow.versionId }
  }
}

/** True if the switch bridged the call by itself, even if it was transferred since. */
function isOfPhones({ line, live, program, script, agent_id, sip_account_id }: Call): boolean {
  if (line === null) return true
  return Boolean(live) && program === 'over' && script.length === 0 && (agent_id ?? sip_account_id) !== null
}
