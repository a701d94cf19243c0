/** Finds the target of a transfer by the name that a model gives. */
import type { AgentService } from '../../agents/agent.service.js'
import type { TransferLookup } from '../../calls/bridge/transfer-lookup.js'
import type { TransferTarget } from '../../calls/bridge/transfer-target.js'
import type { Owner } from '../../../infrastructure/database/workspace-table.js'
import { invalidField } from '../../../infrastructure/http/errors.js'
import { dialledNumber, isPremiumRate } from '../../../lib/numbering/e164.js'
import type { TeamService } from '../../teams/team.service.js'

/** A target, and what people call it. */
export interface NamedTarget extends TransferTarget {
  name: string
}

interface Services {
  lookup: Pick<TransferLookup, 'anyone'>
  agents: Pick<AgentService, 'findByDisplayName'>
  teams: Pick<TeamService, 'findByName'>
  /** ISO 3166-1. */
  countryOf(workspace: Owner): Promise<string | null>
}

const field = 'to'

export class TransferTargets {
  constructor(private readonly services: Services) {}

  /**
   * Looks for an extension, a telephone number as people of the workspace's country dial it, a team by its name, an
   * agent or a SIP account by its username, and an agent by the display name, in this order.
   * @throws 400 naming `to`: no such target, not available, or a number that costs its callers more
   */
  async find(workspace: Owner, text: string): Promise<NamedTarget> {
    const { lookup, teams } = this.services
    const to = text.trim()
    const number = /^[+(\d][\d\s().\-/]*$/.test(to) ? await this.number(workspace, to) : null
    if (number) return number
    const team = await teams.findByName(workspace, to)
    const found = await lookup.anyone(workspace, team?.id ?? to, field)
    const named = found ?? (await this.calledSo(workspace, to))
    if (!named) {
      throw invalidField(
        field,
        `${field} is no telephone number, and no extension, agent or team of that name`,
      )
    }
    return named
  }

  /** A number that is too short for the telephone network is an extension, or the name of a team. */
  private async number(workspace: Owner, text: string): Promise<NamedTarget | null> {
    const country = (await this.services.countryOf(workspace)) ?? ''
    const number = dialledNumber(text.replace(/[^+\d]/g, ''), country)
    if (!number) return null
    if (isPremiumRate(number)) throw invalidField(field, `${field} is a number of a premium rate`)
    return { kind: 'number', id: number.digits, name: `+${number.digits}` }
  }

  private async calledSo(workspace: Owner, name: string): Promise<NamedTarget | null> {
    const { agents, lookup } = this.services
    const [agent, another] = await agents.findByDisplayName(workspace, name, 2)
    if (another) throw invalidField(field, `${field} is the name of several agents: use an extension`)
    return agent ? lookup.anyone(workspace, agent.username, field) : null
  }
}
