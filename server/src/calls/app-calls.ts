/**
 * Calls that apps make: agents' own, and those of customers for their users (contract, Client and call-session
 * endpoints). Accepted like any call of the API; it waits for its app, and its program then runs on the app's leg.
 */
import { createHash } from 'node:crypto'
import { newId } from '../database/ids.js'
import { credentialOf } from '../auth/credentials.js'
import type { Owner } from '../database/workspace-table.js'
import type { AgentActor, ClientActor } from '../http/endpoint.js'
import { forbidden, invalidField } from '../http/errors.js'
import { internationalNumber } from '../phone-numbers/e164.js'
import type { PhoneNumber } from '../phone-numbers/phone-number.entity.js'
import type { PhoneNumberService } from '../phone-numbers/phone-number.service.js'
import type { CallTokens } from '../tokens/call-tokens.js'
import type { MakeAppCall } from './app-calls.schema.js'
import { type CallRouting, type Reachable, shownNumber } from './call-routing.js'
import type { CallAction } from './call.schema.js'
import type { Call } from './call.entity.js'
import { type AcceptedCall, type OutboundCalls, newCall } from './outbound-calls.js'
import type { Phones } from './phones.js'
import type { Flows } from './program.js'

/** What making a call answers, but for the token: that is made for each answer. */
interface MadeAppCall {
  call_id: string
  /** The channel that the app's leg will have. */
  fs_uuid: string
}

/** What differs between the calls of agents and of clients. */
type Course = Pick<
  Call,
  | 'from_number'
  | 'from_name'
  | 'to_number'
  | 'to_name'
  | 'agent_id'
  | 'client_sub'
  | 'program'
  | 'script'
  | 'call_flow_id'
  | 'call_flow_version_id'
> & { from: PhoneNumber | null; goesTo: Reachable | null }

interface Services {
  routing: CallRouting
  phones: Phones
  phoneNumbers: PhoneNumberService
  flows: Flows
  outbound: OutboundCalls
  tokens: CallTokens
  newChannelId(): string
  callSocket(workspaceId: string, callId: string): string
  /** Seconds that an agent's call rings whom it goes to. */
  ringTimeout: number
}

export class AppCalls {
  constructor(private readonly services: Services) {}

  /**
   * Accepts a call of an app, which has 30 seconds to connect to its socket.
   * @throws 400 for a party, number or flow that will not do; 403 and 429 as {@link OutboundCalls.admit} and `make`
   */
  async make(
    workspace: Owner,
    actor: AgentActor | ClientActor,
    input: MakeAppCall,
    idempotencyKey: string | undefined,
  ): Promise<{ call_id: string; ws_url: string; call_token: string }> {
    const sub = actor.kind === 'agent' ? actor.id : actor.sub
    const key = idempotencyKey && keyOf(actor.kind, sub, idempotencyKey)
    const made = await this.services.outbound.make(workspace, key, input, async () =>
      this.accept(workspace, actor, input),
    )
    const { call_id, fs_uuid } = made
    const credential = credentialOf(actor)
    const claims = { sub, kind: actor.kind, workspace_id: workspace.id, call_id, fs_uuid, credential }
    return {
      call_id,
      ws_url: this.services.callSocket(workspace.id, call_id),
      call_token: this.services.tokens.sign(claims).token,
    }
  }

  private async accept(
    workspace: Owner,
    actor: AgentActor | ClientActor,
    input: MakeAppCall,
  ): Promise<AcceptedCall<MadeAppCall>> {
    const { from, goesTo, ...course } =
      actor.kind === 'agent'
        ? await this.courseOfAgent(workspace, actor, input)
        : await this.courseOfClient(workspace, actor, input)
    const number = goesTo?.kind === 'number' ? goesTo.number : null
    const max_duration = await this.services.outbound.admit(workspace, number, from)
    const call: Call = {
      ...newCall(),
      id: newId('call'),
      workspace_id: workspace.id,
      direction: 'outbound',
      ...course,
      phone_number_id: from?.id ?? null,
      sip_account_id: null,
      is_video: input.type === 'video',
      max_duration,
      line: 'caller',
    }
    const answer = { call_id: call.id, fs_uuid: this.services.newChannelId() }
    return { call, jobId: newId('job'), answer }
  }

  /** A script reaches whom the agent dialled. */
  private async courseOfAgent(workspace: Owner, actor: AgentActor, input: MakeAppCall): Promise<Course> {
    const { routing, phones } = this.services
    const goesTo = await routing.reachable(workspace, input.to, 'to')
    const from = await this.numberOfAgent(workspace, actor, input.from)
    if (goesTo.kind === 'number' && !from)
      throw invalidField('from', 'from must name a number: there is none that you may call with')
    const phone = await phones.find(workspace, actor.id)
    if (!phone) throw forbidden('The agent may make no calls')
    const digits = goesTo.kind === 'number' ? `+${goesTo.number.digits}` : null
    return {
      from,
      goesTo,
      from_number: digits && from ? `+${from.number}` : shownNumber(phone),
      from_name: phone.title,
      to_number: digits ?? dialled(goesTo),
      to_name: digits ?? nameOf(goesTo),
      agent_id: actor.id,
      client_sub: null,
      program: 'script',
      script: scriptTo(goesTo, from, this.services.ringTimeout),
      ...{ call_flow_id: null, call_flow_version_id: null },
    }
  }

  /** The flow of the token decides: it sees the client as who calls, and what was dialled as who is called. */
  private async courseOfClient(workspace: Owner, actor: ClientActor, input: MakeAppCall): Promise<Course> {
    const { flows, routing, phoneNumbers } = this.services
    const { sub, call_flow_id } = actor
    const flow = await flows.current(workspace, call_flow_id)
    if (!flow)
      throw invalidField('call_flow_id', 'call_flow_id of the token is not a call flow of this workspace')
    if (flow.trigger !== 'outbound')
      throw invalidField('call_flow_id', 'call_flow_id of the token is a flow for inbound calls')
    const found = await routing.find(workspace, input.to)
    const from = input.from
      ? await routing.callerNumber(workspace, input.from, 'from')
      : await phoneNumbers.findDefaultOutbound(workspace)
    const to = found?.kind === 'number' ? `+${found.number.digits}` : input.to
    return {
      from,
      goesTo: found?.kind === 'unavailable' ? null : found,
      ...{ from_number: sub, from_name: sub, to_number: to, to_name: to },
      ...{ agent_id: null, client_sub: sub },
      ...{ program: 'flow', script: [], call_flow_id, call_flow_version_id: flow.versionId },
    }
  }

  /** @throws 400 when it is none that the agent may use */
  private async numberOfAgent(
    workspace: Owner,
    { id }: AgentActor,
    text: string | undefined,
  ): Promise<PhoneNumber | null> {
    const { phoneNumbers } = this.services
    if (!text) return phoneNumbers.findOutboundOfAgent(workspace, id)
    const digits = internationalNumber(text)?.digits
    const number = digits ? await phoneNumbers.findOutboundOfAgent(workspace, id, digits) : null
    if (!number) throw invalidField('from', 'from is not a number that you may call with')
    return number
  }
}

/** Idempotency keys of one app mean nothing to another. */
function keyOf(kind: string, sub: string, key: string): string {
  return createHash('sha256')
    .update(JSON.stringify([kind, sub, key]))
    .digest('hex')
}

function dialled(to: Reachable): string {
  return to.kind === 'number' ? `+${to.number.digits}` : to.dialled
}

function nameOf(to: Reachable): string {
  return to.kind === 'number' ? dialled(to) : to.name.slice(0, 64)
}

function scriptTo(to: Reachable, from: PhoneNumber | null, timeout: number): CallAction[] {
  if (to.kind === 'team') return [{ action: 'connect_team', params: { team_id: to.teamId, timeout } }]
  if (to.kind === 'voice_agent') {
    return [{ action: 'connect_voice_agent', params: { voice_agent_id: to.voiceAgentId, timeout } }]
  }
  if (to.kind === 'phone' && to.phone.kind === 'agent') {
    return [{ action: 'connect_agent', params: { agent_id: to.phone.id, timeout } }]
  }
  const phone_number = to.kind === 'number' ? dialled(to) : to.phone.username
  const shown = to.kind === 'number' && from ? { from: `+${from.number}` } : {}
  return [{ action: 'to_operator', params: { phone_number, timeout, ...shown } }]
}
