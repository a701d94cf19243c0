/** Tenancy and authentication: which workspace a host names, who the caller is, and what they may do. */
import { timingSafeEqual, createHash } from 'node:crypto'
import type {
  Actor,
  AgentActor,
  Auth,
  BearerActor,
  KeyActor,
  KeyRole,
  KeyScope,
  ManagingActor,
  Tenant,
} from './endpoint.js'
import { badRequest, forbidden, unauthorized } from './errors.js'

/** A suspended workspace admits only the operator. */
type KnownWorkspace = Tenant & { readonly is_suspended: boolean }

/** What the workspaces feature knows of hosts and keys; `http/` reads no table. */
export interface Directory {
  findWorkspace(id: string): Promise<KnownWorkspace | null>
  /** The key's rights, or null when the key is unknown, of another workspace, revoked or its secret is wrong. */
  checkApiKey(
    workspaceId: string,
    sid: string,
    secret: string,
  ): Promise<{ sid: string; scope: KeyScope; role: KeyRole } | null>
  /** The owner of a token; null if the token is not valid in this workspace, for whatever reason. */
  checkToken(workspace: Tenant, token: string): Promise<BearerActor | null>
  /** The id of the operator's entry into this workspace whose token it is; null if it does not hold. */
  checkEntry(workspace: Tenant, token: string): Promise<string | null>
}

const suspended = 'The workspace is suspended: its operator can tell why'

/** Longer than any token of ours or a customer's. */
const maxTokenLength = 4_096

/** What a request's host names. */
export type Site = { kind: 'operator' } | { kind: 'workspace'; id: string } | { kind: 'none' }

/** Reads the workspace from a Host header: `<workspace>.<base domain>[:port]`. */
export function siteOf(host: string, baseDomain: string): Site {
  const name = host.replace(/:\d+$/, '').toLowerCase()
  if (!name.endsWith(`.${baseDomain}`)) return { kind: 'none' }
  const id = name.slice(0, -baseDomain.length - 1)
  if (!/^[a-z0-9-]+$/.test(id)) return { kind: 'none' }
  return id === 'admin' ? { kind: 'operator' } : { kind: 'workspace', id }
}

/** The caller of an endpoint and the workspace that is spoken of. */
export interface Caller {
  workspace: Tenant | undefined
  actor: Actor | undefined
}

export class Access {
  constructor(
    private readonly directory: Directory,
    private readonly operatorToken: () => string,
    private readonly baseDomain: string,
  ) {}

  /**
   * Admits a caller to an endpoint.
   * @param identified called with the caller before rights are checked
   * @throws {ApiError} 400 unknown workspace, 401 no or wrong credentials, 403 too few rights, or it is suspended
   */
  async admit(
    auth: Auth,
    host: string,
    authorization: string | undefined,
    identified: (caller: Caller) => Promise<void> = async () => undefined,
  ): Promise<Caller> {
    const workspace =
      auth.scheme === 'open' || auth.scheme === 'operator' ? undefined : await this.workspaceOf(host)
    const caller = { workspace, actor: await this.actorFor(workspace, auth, authorization) }
    await identified(caller)
    if (caller.actor) checkRights(auth, caller.actor)
    if (workspace?.is_suspended && caller.actor?.kind !== 'operator') throw forbidden(suspended)
    return caller
  }

  private async actorFor(
    workspace: Tenant | undefined,
    auth: Auth,
    authorization: string | undefined,
  ): Promise<Actor | undefined> {
    if (auth.scheme === 'operator') return this.operatorOf(authorization)
    if (!workspace || auth.scheme === 'open' || auth.scheme === 'visitor') return undefined
    if (auth.scheme === 'bearer') return this.bearerOf(workspace, auth, authorization)
    return this.actorOf(workspace, authorization)
  }

  private async workspaceOf(host: string): Promise<KnownWorkspace> {
    const site = siteOf(host, this.baseDomain)
    const workspace = site.kind === 'workspace' ? await this.directory.findWorkspace(site.id) : null
    if (!workspace) throw badRequest(`Unknown workspace: call <workspace>.${this.baseDomain}`)
    return workspace
  }

  private operatorOf(authorization: string | undefined): KeyActor {
    const [scheme, token] = credentials(authorization)
    if (scheme !== 'operator' || !sameSecret(token, this.operatorToken())) {
      throw unauthorized('This needs the operator’s token: Authorization: Operator <token>')
    }
    return { kind: 'operator' }
  }

  private async actorOf(workspace: Tenant, authorization: string | undefined): Promise<ManagingActor> {
    const [scheme, token] = credentials(authorization)
    if (scheme === 'operator') {
      const entry_id =
        token.length <= maxTokenLength ? await this.directory.checkEntry(workspace, token) : null
      return entry_id === null ? this.operatorOf(authorization) : { kind: 'operator', entry_id }
    }
    const admin = scheme === 'bearer' ? await this.adminOf(workspace, token) : null
    if (admin) return admin
    const [, sid, secret] = /^(sid-[a-z0-9]+)\.(\S+)$/.exec(token) ?? []
    const key =
      scheme === 'apikey' && sid && secret
        ? await this.directory.checkApiKey(workspace.id, sid, secret)
        : null
    if (!key) throw unauthorized('Missing or invalid credentials: Authorization: ApiKey <API_KEY>')
    return { kind: 'api_key', ...key }
  }

  /** Null for the tokens of everybody else: those are for other endpoints. */
  private async adminOf(workspace: Tenant, token: string): Promise<AgentActor | null> {
    const actor = await this.tokenOf(workspace, token)
    return actor?.kind === 'agent' && actor.is_admin ? actor : null
  }

  private async tokenOf(workspace: Tenant, token: string): Promise<BearerActor | null> {
    return token.length <= maxTokenLength ? this.directory.checkToken(workspace, token) : null
  }

  private async bearerOf(
    workspace: Tenant,
    { kinds }: Extract<Auth, { scheme: 'bearer' }>,
    authorization: string | undefined,
  ): Promise<BearerActor> {
    const [scheme, token] = credentials(authorization)
    const actor = scheme === 'bearer' ? await this.tokenOf(workspace, token) : null
    if (!actor || !kinds.includes(actor.kind)) {
      throw unauthorized(
        `Missing or invalid credentials: Authorization: Bearer <${kinds.map((kind) => bearerNames[kind]).join(' or ')}>`,
      )
    }
    return actor
  }
}

/** @throws 403 */
function checkRights(auth: Auth, actor: Actor): void {
  if (auth.scheme === 'api_key' && actor.kind === 'api_key') {
    if (auth.scope === 'full' && actor.scope !== 'full')
      throw forbidden('This needs an API key of scope full')
    if (!auth.roles.includes(actor.role)) {
      throw forbidden(`This needs an API key of role ${auth.roles.join(' or ')}`)
    }
  }
  if (auth.scheme === 'bearer' && actor.kind === 'agent' && !auth.roles.includes(actor.role)) {
    throw forbidden(`This needs an agent of role ${auth.roles.join(' or ')}`)
  }
}

const bearerNames: Readonly<Record<BearerActor['kind'], string>> = {
  agent: 'ACCESS_TOKEN',
  client: 'CLIENT_JWT',
  call_token: 'CALL_TOKEN',
}

/** Compares secrets in constant time, whatever their lengths. */
export function sameSecret(given: string, expected: string): boolean {
  const digest = (value: string) => createHash('sha256').update(value).digest()
  return timingSafeEqual(digest(given), digest(expected))
}

function credentials(authorization: string | undefined): [scheme: string, token: string] {
  const [, scheme = '', token = ''] = /^(\S+)\s+(\S+)$/.exec(authorization ?? '') ?? []
  return [scheme.toLowerCase(), token]
}
