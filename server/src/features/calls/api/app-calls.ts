/**
 * Calls made by apps: by those of agents, and by customers' apps for their users (contract, Client and call-session
 * endpoints). Such a call is accepted like any call of the API and waits for its app; its script then runs on the
 * app's leg.
 */
import { credentialOf } from '../../auth/credentials.js'
import { ownKey } from '../../../infrastructure/database/idempotency.js'
import type { Owner } from '../../../infrastructure/database/workspace-table.js'
import type { AgentActor, ClientActor } from '../../../infrastructure/http/endpoint.js'
import { forbidden, invalidField } from '../../../infrastructure/http/errors.js'
import type { PhoneNumber } from '../../phone-numbers/phone-number.entity.js'
import type { PhoneNumberService } from '../../phone-numbers/phone-number.service.js'
import type { WorkspaceNumbers } from '../../phone-numbers/workspace-numbers.js'
import type { AppCallDesk, AppCourse, MadeAppCall } from '../session/app-call-desk.js'
import type { MakeAppCall } from './app-calls.schema.js'
import { type CallRouting, type Reachable, shownNumber } from '../routing/call-routing.js'
import type { CallAction } from '../model/call.schema.js'
import type { Phones } from '../routing/phones.js'
import type { Flows } from '../script/script.js'
import { isOutside } from '../routing/short-numbers.js'

interface Services {
  routing: CallRouting
  phones: Phones
  phoneNumbers: PhoneNumberService
  numbers: WorkspaceNumbers
  flows: Flows
  desk: AppCallDesk
  /** Seconds that an agent's call rings its destination. */
  ringTimeout: number
}

export class AppCalls {
  constructor(private readonly services: Services) {}

  /**
   * Accepts a call of an app, which has 30 seconds to connect to its socket.
   * @throws 400 for an invalid party, number or flow; 403 and 429 as {@link OutboundCalls.admit} and `make`
   */
  async make(
    workspace: Owner,
    actor: AgentActor | ClientActor,
    input: MakeAppCall,
    idempotencyKey: string | undefined,
  ): Promise<MadeAppCall> {
    const { kind } = actor
    const sub = kind === 'agent' ? actor.id : actor.sub
    const app = { kind, sub, credential: credentialOf(actor), isVideo: input.type === 'video' }
    const key = idempotencyKey && ownKey(kind, sub, idempotencyKey)
    return this.services.desk.make(workspace, app, input, key, async () =>
      actor.kind === 'agent'
        ? this.courseOfAgent(workspace, actor, input)
        : this.courseOfClient(workspace, actor, input),
    )
  }

  /** The call's script dials what the agent dialled. */
  private async courseOfAgent(workspace: Owner, actor: AgentActor, input: MakeAppCall): Promise<AppCourse> {
    const { routing, phones } = this.services
    const goesTo = await routing.reachable(workspace, input.to, 'to')
    const from = await this.numberOfAgent(workspace, actor, input.from)
    if (isOutside(goesTo) && !from)
      throw invalidField('from', 'from must name a number: there is none that you may call with')
    const phone = await phones.find(workspace, actor.id)
    if (!phone) throw forbidden('The agent may make no calls')
    const digits = isOutside(goesTo) ? dialled(goesTo) : null
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

  /** The token's flow decides: it sees the client as the caller, and the dialled text as the called party. */
  private async courseOfClient(workspace: Owner, actor: ClientActor, input: MakeAppCall): Promise<AppCourse> {
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

  /** @throws 400 for a number that the agent may not use */
  private async numberOfAgent(
    workspace: Owner,
    { id }: AgentActor,
    text: string | undefined,
  ): Promise<PhoneNumber | null> {
    const { phoneNumbers } = this.services
    if (!text) return phoneNumbers.findOutboundOfAgent(workspace, id)
    const own = await this.services.numbers.own(workspace, text)
    const number = own && (await phoneNumbers.findOutboundOfAgent(workspace, id, own.number))
    if (!number) throw invalidField('from', 'from is not a number that you may call with')
    return number
  }
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
  if (to.kind === 'client') return [{ action: 'connect_client', params: { sub: to.sub, timeout } }]
  const shown = isOutside(to) && from ? { from: `+${from.number}` } : {}
  return [{ action: 'to_operator', params: { phone_number: dialled(to), timeout, ...shown } }]
}
