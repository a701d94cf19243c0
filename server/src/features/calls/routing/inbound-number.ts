/** Everything that decides an inbound call, kept or in one query: the caller hears its latency as silence. */
import type { KeptValues } from '../../../lib/kept-values.js'
import type { Database } from '../../../infrastructure/database/database.js'
import type { InboundNumbers } from '../../../adapters/sms/numbers.js'
import { entityOf } from '../../../infrastructure/database/rows.js'
import { PhoneNumber } from '../../phone-numbers/phone-number.entity.js'
import type { UnverifiedCallers } from '../../../adapters/stir-shaken/caller-verification.js'

export interface InboundNumber {
  number: PhoneNumber
  /** The newest version of the number's flow; null without a flow. */
  flowVersionId: string | null
  /** What to do with calls whose caller is not verified. */
  unverifiedCallers: UnverifiedCallers
  /** How the carrier formats numbers. */
  spelling: InboundNumbers
  /** True if another workspace has the number, too, and the operator has not assigned it to this one. */
  isContested: boolean
}

/** Null if there is no such number. @param kept by workspace */
export async function inboundNumber(
  database: Database,
  kept: Pick<KeptValues, 'get'>,
  workspaceId: string,
  numberId: string,
): Promise<InboundNumber | null> {
  // What a pending number gets depends on other workspaces, and its first call changes it.
  const until = (found: InboundNumber | null) => (found?.number.status === 'pending' ? 0 : Infinity)
  return kept.get(
    workspaceId,
    `inbound ${numberId}`,
    async () => look(database, workspaceId, numberId),
    until,
  )
}

async function look(
  { source }: Database,
  workspaceId: string,
  numberId: string,
): Promise<InboundNumber | null> {
  const rows = await source.query<Record<string, unknown>[]>(
    `SELECT number.*, acl.unverified_callers, acl.country AS acl_country, acl.inbound_number_format,
       acl.inbound_number_prefix,
       (SELECT MAX(version.id) FROM call_flow_versions version WHERE version.call_flow_id = flow.id) AS version_id,
       number.is_verified = 0 AND EXISTS (
         SELECT 1 FROM phone_numbers other
         WHERE other.number = number.number AND other.workspace_id <> number.workspace_id
       ) AS is_contested
     FROM phone_numbers number
     LEFT JOIN call_flows flow ON flow.id = number.call_flow_id AND flow.workspace_id = number.workspace_id
     JOIN inbound_acls acl ON acl.id = number.inbound_acl_id
     WHERE number.id = ? AND number.workspace_id = ?`,
    [numberId, workspaceId],
  )
  const [row] = rows
  if (!row) return null
  const { version_id, unverified_callers, is_contested, acl_country, ...spelling } = row as {
    version_id: string | number | null
    is_contested: string | number
    unverified_callers: UnverifiedCallers
    acl_country: string
  } & InboundNumbers
  const number = Object.freeze(entityOf(source.manager, PhoneNumber, row))
  return {
    number,
    unverifiedCallers: unverified_callers,
    spelling: {
      country: acl_country || number.country_code,
      inbound_number_format: spelling.inbound_number_format,
      inbound_number_prefix: spelling.inbound_number_prefix,
    },
    isContested: Number(is_contested) === 1,
    flowVersionId: version_id === null ? null : String(version_id),
  }
}
