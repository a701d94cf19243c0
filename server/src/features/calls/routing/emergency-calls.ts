/**
 * Emergency calls from phones. Numbers of the country's plan are dialled as entered, whatever the workspace's limits,
 * rates and credit, and raise an alert at once (47 U.S.C. 623, Kari's Law: direct dialing and notification).
 */
import type { Route } from './route.js'
import type { EntityManager } from 'typeorm'
import type { AlertService } from '../../alerts/alert.service.js'
import type { Owner } from '../../../infrastructure/database/workspace-table.js'
import { isEmergencyNumber, yieldsToExtensions } from '../../../lib/numbering/emergency.js'
import type { PhoneNumber } from '../../phone-numbers/phone-number.entity.js'
import type { PhoneNumberService } from '../../phone-numbers/phone-number.service.js'
import { free } from '../../rates/rating.js'
import type { OutboundGateway } from '../../sip-trunks/outbound-gateway.entity.js'
import type { OutboundGatewayService } from '../../sip-trunks/outbound-gateway.service.js'
import type { Workspace } from '../../workspaces/workspace.entity.js'
import type { CallRouting } from './call-routing.js'
import type { Call } from '../model/call.entity.js'
import { NoRoute } from '../model/no-route.js'
import type { Phone, Phones } from './phones.js'

interface Options {
  routing: Pick<CallRouting, 'ways' | 'callerOf' | 'outboundNumberOf'>
  phones: Pick<Phones, 'extension'>
  phoneNumbers: Pick<PhoneNumberService, 'findByDigits' | 'gatewaysOf'>
  outboundGateways: Pick<OutboundGatewayService, 'find' | 'mayShow'>
  workspaceOf: (id: string) => Promise<Pick<Workspace, 'country_code' | 'emergency_gateway_id'> | null>
  alerts: Pick<AlertService, 'record' | 'raiseLater'>
}

/** At most this many gateways are tried for one call. */
const mostGateways = 5

export class EmergencyCalls {
  constructor(private readonly options: Options) {}

  /**
   * The emergency number that a phone dials: one of the workspace's country, or of the country of the phone's caller
   * id.
   * @returns its digits; null if it is none
   */
  async dialled(phone: Phone, text: string): Promise<string | null> {
    if (!/^\d{2,5}$/.test(text)) return null
    const { routing, phones, workspaceOf } = this.options
    const own = await routing.outboundNumberOf(phone)
    const countries = [(await workspaceOf(phone.workspace_id))?.country_code, own?.country_code]
    const among = countries.filter((country) => country && isEmergencyNumber(text, country)) as string[]
    if (among.length === 0) return null
    if (!among.every((country) => yieldsToExtensions(text, country))) return text
    return (await phones.extension({ id: phone.workspace_id }, text)) ? null : text
  }

  /** A route over every gateway that takes emergency calls, with the caller id to show. */
  async route(phone: Phone, digits: string): Promise<{ route: Route; from: PhoneNumber | null } | NoRoute> {
    const workspace = { id: phone.workspace_id }
    const from = await this.callerOf(workspace, phone)
    const [first, ...others] = await this.ways(workspace, from, digits)
    if (!first) return new NoRoute('no_emergency_gateway')
    const targets = [
      ...first.targets,
      ...others.flatMap(({ targets, ...over }) => targets.map((target) => ({ ...target, over }))),
    ]
    return { route: { number: digits, rate: free, phone: null, isEmergency: true, ...first, targets }, from }
  }

  /** The route of a recovered call, which raises an alert when every gateway fails; null if there is none. */
  async routeOf(phone: Phone, call: Call): Promise<Route | null> {
    const found = await this.route(phone, call.to_number)
    return found instanceof NoRoute ? null : { ...found.route, unreached: () => this.failed(call, phone) }
  }

  /** Records the alert in the same transaction as the call. */
  async report(tx: EntityManager, call: Call, phone: Phone, from: PhoneNumber | null): Promise<void> {
    await this.options.alerts.record(tx, {
      ...{ workspace_id: call.workspace_id, kind: 'emergency_call', period_began: call.created_at },
      message: `${nameOf(phone)} calls the emergency number ${call.to_number}`,
      details: detailsOf(call, phone, from),
    })
  }

  /** Raises an alert that no carrier took the call. */
  failed(call: Call, phone: Phone): void {
    this.options.alerts.raiseLater({
      ...{ workspace_id: call.workspace_id, kind: 'emergency_call_failed', period_began: call.created_at },
      message: `No carrier took the call of ${nameOf(phone)} to the emergency number ${call.to_number}`,
      details: detailsOf(call, phone, null),
    })
  }

  /**
   * The phone's own verified number, else the workspace's oldest caller id; it is shown even if the phone withholds it.
   */
  private async callerOf(workspace: Owner, phone: Phone): Promise<PhoneNumber | null> {
    const { routing, phoneNumbers } = this.options
    const { outbound_caller_id: digits } = phone
    const own = digits
      ? await phoneNumbers.findByDigits(workspace, digits)
      : await routing.outboundNumberOf(phone)
    return own?.status === 'active' && own.is_verified ? own : routing.callerOf(workspace, null)
  }

  /** The workspace's emergency gateway, that of the caller id, and those of its other numbers, oldest first. */
  private async ways(workspace: Owner, from: PhoneNumber | null, digits: string) {
    const { workspaceOf, phoneNumbers, outboundGateways, routing } = this.options
    const named = (await workspaceOf(workspace.id))?.emergency_gateway_id
    const ids = [
      named,
      from?.outbound_gateway_id,
      ...(await phoneNumbers.gatewaysOf(workspace, mostGateways)),
    ]
    const gateways = await Promise.all(
      [...new Set(ids)].slice(0, mostGateways).map(async (id) => id && outboundGateways.find(workspace, id)),
    )
    const ways = await Promise.all(
      gateways
        .filter((gateway): gateway is OutboundGateway => Boolean(gateway))
        .map(async (gateway) => {
          const from_user = (await outboundGateways.mayShow(gateway)) ? gateway.from_user : null
          return routing.ways.over(workspace, { ...gateway, from_user }, from, { asDialled: digits })
        }),
    )
    return ways.filter((way) => typeof way !== 'string')
  }
}

function nameOf({ title, extension }: Phone): string {
  return extension ? `${title} (extension ${extension})` : title
}

function detailsOf(call: Call, phone: Phone, from: PhoneNumber | null) {
  return {
    ...{ number: call.to_number, phone: phone.id, phone_title: phone.title, call_id: call.id },
    ...(phone.extension && { extension: phone.extension }),
    ...(from && { caller_number: `+${from.number}` }),
  }
}
