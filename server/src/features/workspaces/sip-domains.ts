/**
 * The SIP domains of a workspace. SIP accounts and agents have one each, so that both may have the same username. Both are one
 * label below the SIP domain of the platform: its wildcard record and certificate hold for both.
 */

/** No workspace id begins with it. The edge knows it, too (kamailio-conf/roles/accounts.cfg). */
export const agentsPrefix = 'agents--'

/** Where SIP accounts register: `<workspace>.<sip domain>`. It is also the realm of both, see {@link agentsDomain}. */
export function accountsDomain(workspaceId: string, sipDomain: string): string {
  return `${workspaceId}.${sipDomain}`
}

/**
 * Where agents register: `agents--<workspace>.<sip domain>`. Their phones may also register where SIP accounts do, as all did in
 * former versions, as long as no SIP account has the name. So their digests go on with that domain as their realm.
 */
export function agentsDomain(workspaceId: string, sipDomain: string): string {
  return `${agentsPrefix}${accountsDomain(workspaceId, sipDomain)}`
}
