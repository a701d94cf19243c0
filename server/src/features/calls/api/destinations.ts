/** One search over all that an agent can call, or hand a call over to. */
import type { Owner } from '../../../infrastructure/database/workspace-table.js'
import type { ContactNames } from '../../contacts/contact-names.js'
import type { PhoneNumberService } from '../../phone-numbers/phone-number.service.js'
import type { WorkspaceNumbers } from '../../phone-numbers/workspace-numbers.js'
import type { AllowedCountries } from '../../phone-numbers/allowed-countries.js'
import type { Presence } from '../../presence/presence.js'
import { internationalNumber } from '../../../lib/numbering/e164.js'
import { byRelevance } from './destination-order.js'
import type { DestinationRows } from './destination-rows.js'
import type { Destination } from './destinations.schema.js'

/** Contacts, numbers and SIP accounts are found by this many characters: fewer match nearly everything. */
const leastSearch = 2

interface Services {
  rows: DestinationRows
  presence: Pick<Presence, 'onlineIn'>
  contactNames: Pick<ContactNames, 'of'>
  numbers: Pick<WorkspaceNumbers, 'digitsOf'>
  phoneNumbers: Pick<PhoneNumberService, 'findOutboundOfAgent'>
  countries: Pick<AllowedCountries, 'refusal'>
}

const blank: Omit<Destination, 'kind' | 'id' | 'name' | 'target'> = {
  ...{ username: null, extension: null, number: null, state: null, is_registered: null },
  ...{ free_agents: null, waiting_callers: null, refusal: null },
}

export class Destinations {
  constructor(private readonly services: Services) {}

  /** @param agentId who asks; not among the results */
  async find(workspace: Owner, agentId: string, written: string): Promise<Destination[]> {
    const search = written.trim().normalize('NFC')
    const [inside, outside] = await Promise.all([
      this.inside(workspace, agentId, search),
      search.length < leastSearch ? [] : this.outside(workspace, agentId, search),
    ])
    return byRelevance([...inside, ...outside], search)
  }

  private async inside(workspace: Owner, agentId: string, search: string): Promise<Destination[]> {
    const { rows, presence } = this.services
    const online = await presence.onlineIn(workspace)
    const available = [...online].filter(([, { state }]) => state === 'available').map(([id]) => id)
    const isLong = search.length >= leastSearch
    const [agents, teams, sipAccounts, extensions] = await Promise.all([
      rows.agents(workspace, search, { except: agentId, available }),
      rows.teams(
        workspace,
        search,
        available.filter((id) => id !== agentId),
      ),
      isLong ? rows.sipAccounts(workspace, search) : [],
      isLong ? rows.extensions(workspace, search) : [],
    ])
    const found: Destination[] = [
      ...agents.map(({ id, name, username, extension }) => {
        const shown = online.get(id)
        const state = shown?.is_ringing ? ('ringing' as const) : (shown?.state ?? ('offline' as const))
        return { ...blank, kind: 'agent' as const, id, name, target: username, username, extension, state }
      }),
      ...teams.map(({ id, name, extension, free, waiting }) => ({
        ...blank,
        ...{ kind: 'team' as const, id, name, target: id, extension },
        ...{ free_agents: Number(free), waiting_callers: Number(waiting) },
      })),
      ...sipAccounts.map(({ id, name, username, extension, is_registered }) => ({
        ...blank,
        ...{ kind: 'sip_account' as const, id, name, target: id, username, extension },
        is_registered: is_registered === 1,
      })),
    ]
    const shown = new Set(found.map(({ extension }) => extension))
    const others = extensions.filter(({ extension }) => !shown.has(extension))
    return [
      ...found,
      ...others.map(({ id, name, extension }) => ({
        ...blank,
        ...{ kind: 'extension' as const, id, name, target: extension, extension },
      })),
    ]
  }

  /** Numbers of the telephone network, with whether the agent may call them. */
  private async outside(workspace: Owner, agentId: string, search: string): Promise<Destination[]> {
    const { rows, contactNames, numbers, phoneNumbers } = this.services
    const [contacts, own, typed, callerId] = await Promise.all([
      rows.contacts(workspace, search, agentId),
      rows.phoneNumbers(workspace, search),
      numbers.digitsOf(workspace, search),
      phoneNumbers.findOutboundOfAgent(workspace, agentId),
    ])
    const found = [
      ...contacts.map((contact) => ({ kind: 'contact' as const, ...contact })),
      ...own.map((number) => ({ kind: 'phone_number' as const, ...number })),
    ]
    const isNew = typed !== null && !found.some(({ number }) => number === typed)
    const named = isNew ? (await contactNames.of(workspace, [typed])).get(typed) : undefined
    const all = [
      ...found,
      ...(isNew
        ? [{ kind: 'outside_number' as const, id: null, name: named?.name ?? '', number: typed }]
        : []),
    ]
    return Promise.all(
      all.map(async ({ number, ...entry }) => ({
        ...{ ...blank, ...entry, number: `+${number}`, target: `+${number}` },
        refusal: callerId ? await this.refusalOf(workspace, number) : ('no_caller_id' as const),
      })),
    )
  }

  private async refusalOf(workspace: Owner, digits: string): Promise<'not_allowed' | null> {
    const number = internationalNumber(`+${digits}`)
    const refusal = number && (await this.services.countries.refusal(workspace, number))
    return refusal ? 'not_allowed' : null
  }
}
