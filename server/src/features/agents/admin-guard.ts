/** Who may make admins of agents, and touch the accounts of admins: else a lesser key could take such an account over. */
import { type ManagingActor, keyRoleOf } from '../../infrastructure/http/endpoint.js'
import { forbidden } from '../../infrastructure/http/errors.js'
import type { Agent } from './agent.entity.js'

/** Called with an agent before and after a change. @throws 403 when it is an admin, and not to be touched */
export type AdminGuard = (agent: Pick<Agent, 'is_admin'>) => void

/** The guard of what somebody does to agents. */
export function adminGuard(actor: ManagingActor): AdminGuard {
  return ({ is_admin }) => {
    if (is_admin && keyRoleOf(actor) !== 'owner') {
      throw forbidden('Only an API key of role owner, an admin or the operator makes or changes admins')
    }
  }
}

/** Of what agents do to their own accounts. */
export const unguarded: AdminGuard = () => undefined
