/** What narrows a list of numbers. */
import { type FindOperator, type FindOptionsWhere, IsNull, Raw } from 'typeorm'
import { none } from '../../infrastructure/http/lists.js'
import type { Capability, PhoneNumber } from './phone-number.entity.js'
import type { NumberQuery } from './phone-number.schema.js'

export function numberFilter({
  capability,
  status,
  type,
  enable_outbound,
  call_flow_id,
  team_id,
}: NumberQuery): FindOptionsWhere<PhoneNumber> {
  return {
    ...(capability && { capabilities: having(capability) }),
    ...(status && { status }),
    ...(type && { type }),
    ...(enable_outbound !== undefined && { enable_outbound }),
    ...(call_flow_id !== undefined && { call_flow_id: call_flow_id === none ? IsNull() : call_flow_id }),
    ...(team_id !== undefined && { id: sharedWith(team_id) }),
  }
}

export function having(capability: Capability): FindOperator<Capability> {
  return Raw((column) => `JSON_CONTAINS(${column}, JSON_QUOTE(:capability))`, {
    capability,
  }) as FindOperator<Capability>
}

/** @param team its id, or `none`: those that all agents may use */
function sharedWith(team: string): FindOperator<string> {
  const shares = 'SELECT 1 FROM phone_number_teams shared WHERE shared.phone_number_id'
  return (
    team === none
      ? Raw((id) => `NOT EXISTS (${shares} = ${id})`)
      : Raw((id) => `EXISTS (${shares} = ${id} AND shared.team_id = :team)`, { team })
  ) as FindOperator<string>
}
