/** Agents: what administrators do with them. */
import { isSupportedCountry } from 'libphonenumber-js/max'
import type { EntityManager, FindOptionsWhere } from 'typeorm'
import { type Database, duplicateKey } from '../../infrastructure/database/database.js'
import { newId } from '../../infrastructure/database/ids.js'
import type { Job } from '../../infrastructure/database/outbox.js'
import type { Owner } from '../../infrastructure/database/workspace-table.js'
import type { Tenant, UploadedFile } from '../../infrastructure/http/endpoint.js'
import {
  type ApiError,
  badRequest,
  conflict,
  invalidField,
  notFound,
} from '../../infrastructure/http/errors.js'
import type { ListRequest, Page } from '../../infrastructure/http/lists.js'
import type { AgentStates } from './agent-state.js'
import type { SessionEnder } from './session-ender.js'
import { ResourceRows } from '../../infrastructure/resources/resource-rows.js'
import { digestHashes } from '../sip-accounts/digest.js'
import type { Registrations } from '../sip-accounts/registrations.js'
import { accountsDomain, agentsDomain } from '../workspaces/sip-domains.js'
import { type AdminGuard, unguarded } from './admin-guard.js'
import { Agent } from './agent.entity.js'
import { agentFilter } from './agent-filter.js'
import { agentResource, hashes } from './agent.resource.js'
import type { AgentList, CreateAgent, UpdateAgent } from './agent.schema.js'
import { type StoredBytes, addBytes } from '../workspaces/kept-bytes.js'
import type { Avatars } from './avatars.js'
import { hashPassword } from './passwords.js'

interface Parts {
  database: Database
  presence: Pick<AgentStates, 'being'>
  avatars: Avatars
  storedBytes: Pick<StoredBytes, 'check' | 'take'>
  registrations: Registrations
  sessions: SessionEnder
}

/** How a password is changed. */
interface PasswordChange {
  /** The session that makes the change, which stays logged in. */
  session?: string
  /** Called with the locked agent, or null: throws when its password may not be changed. */
  check?: (agent: Agent | null) => void
  guard?: AdminGuard
}

interface Settings {
  /** Domain of the platform that the workspaces' SIP domains are below. */
  sipDomain: string
  /** How many agents a workspace may hold. */
  limit: number
}

/** Of an agent whose username has changed: its softphone registers again when its password is set again. */
const noHashes = Object.fromEntries(hashes.map((hash) => [hash, null])) as Record<
  (typeof hashes)[number],
  null
>

const unknownAgent = () => notFound('Agent not found')

interface ChangeOptions {
  /** The error when there is no such agent. */
  unknown?: () => ApiError
  /** The session that stays logged in though the others end. */
  session?: string | undefined
  guard?: AdminGuard
}

/** What else is done in the transaction that deletes an agent, which it has locked. */
type Release = (tx: EntityManager, workspace: Owner, agentId: string) => Promise<void>

/** What follows from a change of an agent, in its transaction. */
type FollowUp = (tx: EntityManager, before: Agent, after: Agent) => Promise<void>

export class AgentService extends ResourceRows<Agent> {
  private readonly releases: Release[] = []
  private readonly followUps: FollowUp[] = []

  constructor(
    private readonly services: Parts,
    private readonly settings: Settings,
  ) {
    super(agentResource, { database: services.database, max: settings.limit })
  }

  /** Registers a hook that releases what belongs to a deleted agent. */
  alsoRelease(release: Release): void {
    this.releases.push(release)
  }

  /** Adds work to the transaction of every change of an agent. */
  afterChange(work: FollowUp): void {
    this.followUps.push(work)
  }

  /** A page of the agents that the list's filters leave. */
  override async list(workspace: Owner, request: AgentList): Promise<Page<Agent>> {
    const { state } = request
    const being = state && (await this.services.presence.being(workspace, state))
    return super.list(workspace, request, agentFilter(workspace, request, being))
  }

  /** A page of the agents that a condition names. */
  async listWhere(
    workspace: Owner,
    request: ListRequest,
    where: FindOptionsWhere<Agent>,
  ): Promise<Page<Agent>> {
    return super.list(workspace, request, where)
  }

  /** A page of active agents, by their display names. */
  async listColleagues(
    workspace: Owner,
    request: Pick<ListRequest, 'page' | 'limit' | 'search'>,
  ): Promise<Page<Agent>> {
    return this.table.list(workspace, {
      ...request,
      ...{ sort_field: 'display_name', sort_order: 'asc', searched: ['display_name', 'username'] },
      where: { is_active: true },
    })
  }

  async findByUsername(workspace: Owner, username: string): Promise<Agent | null> {
    return this.table.findBy(workspace, { username })
  }

  /** Active agents with a display name, whatever its case and accents; at most `limit`. */
  async findByDisplayName(workspace: Owner, name: string, limit: number): Promise<Agent[]> {
    return this.table.findAll(workspace, { display_name: name, is_active: true }, limit)
  }

  /** Where an agent's softphones register, or would. */
  domainOf({ workspace_id, domain }: Pick<Agent, 'workspace_id' | 'domain'>): string {
    return domain ?? agentsDomain(workspace_id, this.settings.sipDomain)
  }

  /**
   * @param hashed the password's hash, where it is at hand
   * @throws 400 bad country, 403 at the limit or by the guard, 409 when the username or the e-mail is taken
   */
  async create(
    workspace: Tenant,
    { password, ...input }: CreateAgent,
    guard: AdminGuard = unguarded,
    hashed?: string,
  ): Promise<Agent> {
    guard(input)
    checkCountry(input.country_code)
    const password_hash = hashed ?? (await hashPassword(password))
    const now = new Date()
    const agent: Agent = {
      id: newId('ag'),
      workspace_id: workspace.id,
      username: input.username,
      display_name: input.display_name,
      email: input.email ?? null,
      avatar: input.avatar ?? null,
      avatar_file: null,
      avatar_bytes: 0,
      role: input.role,
      is_admin: input.is_admin,
      is_active: input.is_active,
      voicemail_by_email: input.voicemail_by_email,
      country_code: input.country_code ?? workspace.country_code,
      password_hash,
      ...this.softphoneOf(workspace, input.username, password),
      created_at: now,
      updated_at: now,
    }
    return refusingDuplicates(agent, async () =>
      this.services.database.transaction(async (tx) => {
        await this.table.in(tx).insert(agent)
        await this.checkLimit(tx, workspace)
        return agent
      }),
    )
  }

  /**
   * Changes an agent. When it is made inactive, or its username changes, its registrations end at once; when it is made
   * inactive, its log-ins end, too.
   * @throws 400 bad country, or no such agent (contract), 403 by the guard, 409 when the username or the e-mail is taken
   */
  async update(
    workspace: Owner,
    id: string,
    input: UpdateAgent,
    guard: AdminGuard = unguarded,
  ): Promise<Agent> {
    checkCountry(input.country_code)
    const { avatar, ...fields } = input
    return refusingDuplicates(input, async () =>
      this.change(
        workspace,
        id,
        // A client that sends back the URL that it got keeps the uploaded picture.
        (agent) => ({
          ...fields,
          ...(avatar !== undefined &&
            avatar !== this.services.avatars.urlOf(agent) && { avatar, avatar_file: null, avatar_bytes: 0 }),
          ...(fields.username !== undefined && fields.username !== agent.username && noHashes),
        }),
        { unknown: () => badRequest('Agent not found'), guard },
      ),
    )
  }

  /**
   * @throws 404, 403 by the guard and at the workspace's limit of files, 400 naming `file` when it is no such picture as its
   *   label says, 503 when the disk is nearly full
   */
  async setAvatar(
    workspace: Owner,
    id: string,
    file: UploadedFile,
    guard: AdminGuard = unguarded,
  ): Promise<Agent> {
    await this.get(workspace, id)
    await this.services.storedBytes.check(workspace, file.size)
    return this.services.avatars.keep(file, async (uploaded) =>
      this.change(workspace, id, () => ({ avatar: null, ...uploaded }), { guard }),
    )
  }

  /**
   * Sets the password of the agent and of its softphone, whose registrations end at once; log-ins end, but for the one
   * that makes the change.
   * @throws 404, and what the check and the guard throw
   */
  async setPassword(
    workspace: Owner,
    id: string,
    password: string,
    { session, check = known, guard = unguarded }: PasswordChange = {},
  ): Promise<Agent> {
    check(await this.find(workspace, id))
    const password_hash = await hashPassword(password)
    return this.change(
      workspace,
      id,
      (agent) => {
        check(agent)
        return { password_hash, ...this.softphoneOf(workspace, agent.username, password) }
      },
      {
        ...{ session, guard },
        unknown: () => {
          check(null)
          return unknownAgent()
        },
      },
    )
  }

  /**
   * Deletes an agent with its memberships, phones and sessions. Extensions that lead to it lead nowhere.
   * @throws 404 unknown, 403 by the guard
   */
  override async delete(workspace: Owner, id: string, guard: AdminGuard = unguarded): Promise<Agent> {
    let agent = await this.get(workspace, id)
    const { database, avatars, registrations, sessions } = this.services
    const { removal, ended } = await database.transaction(async (tx) => {
      const locked = await this.table.in(tx).lock(workspace, id)
      if (!locked) throw this.unknown()
      agent = locked
      guard(agent)
      const ended = await sessions.closeAll(tx, agent)
      for (const release of this.releases) await release(tx, workspace, id)
      await this.deleteRow(tx, workspace, id)
      await addBytes(tx, workspace.id, -agent.avatar_bytes)
      return { ended, removal: await this.unregister(tx, agent) }
    })
    sessions.reportEnded(ended)
    if (removal) await registrations.removeNow(removal)
    if (agent.avatar_file) await avatars.remove(agent.avatar_file)
    return agent
  }

  /** Deletes all agents of a workspace that is being deleted. */
  override async deleteAll(tx: EntityManager, workspace: Owner): Promise<void> {
    const select = { username: true, domain: true }
    const agents = await tx.find(Agent, { where: { workspace_id: workspace.id }, select })
    await this.services.registrations.removeSoon(
      tx,
      agents.flatMap(({ username, domain }) => (domain ? { username, domain } : [])),
    )
    await this.table.in(tx).deleteAll(workspace)
  }

  protected override unknown() {
    return unknownAgent()
  }

  /**
   * Changes an agent as it is once it is locked; a picture that it has no more is removed, and so are its phones and
   * log-ins.
   */
  private async change(
    workspace: Owner,
    id: string,
    changesTo: (agent: Agent) => Partial<Agent>,
    { unknown = unknownAgent, session, guard = unguarded }: ChangeOptions = {},
  ): Promise<Agent> {
    const { database, avatars, registrations, sessions } = this.services
    const { before, after, removal, ended } = await database.transaction(async (tx) => {
      const table = this.table.in(tx)
      const before = await table.lock(workspace, id)
      if (!before) throw unknown()
      const changes = { ...changesTo(before), updated_at: new Date() }
      guard(before)
      guard({ ...before, ...changes })
      await table.update(workspace, id, changes)
      const after: Agent = { ...before, ...changes }
      await this.countPicture(tx, workspace, after.avatar_bytes - before.avatar_bytes)
      for (const work of this.followUps) await work(tx, before, after)
      const stays = after.ha1 === before.ha1 && after.is_active
      const isLoggedOut = after.password_hash !== before.password_hash || !after.is_active
      return {
        ...{ before, after },
        removal: stays ? null : await this.unregister(tx, before),
        ended: isLoggedOut ? await sessions.closeAll(tx, before, session) : [],
      }
    })
    sessions.reportEnded(ended)
    sessions.dropCached(id)
    if (removal) await registrations.removeNow(removal)
    if (before.avatar_file && before.avatar_file !== after.avatar_file) {
      await avatars.remove(before.avatar_file)
    }
    return after
  }

  /** @param bytes that a picture has more than the one before @throws 403 at the workspace's limit of files */
  private async countPicture(tx: EntityManager, workspace: Owner, bytes: number): Promise<void> {
    if (bytes > 0) await this.services.storedBytes.take(tx, workspace, bytes)
    else if (bytes < 0) await addBytes(tx, workspace.id, bytes)
  }

  /** Adds the removal of its softphones to a transaction; null when none can be registered. */
  private async unregister(tx: EntityManager, { username, domain }: Agent): Promise<Job | null> {
    return domain ? this.services.registrations.remove(tx, { username, domain }) : null
  }

  private softphoneOf(workspace: Owner, username: string, password: string) {
    const realm = accountsDomain(workspace.id, this.settings.sipDomain)
    const domain = agentsDomain(workspace.id, this.settings.sipDomain)
    const atDomain = digestHashes({ username, domain, realm }, password)
    return {
      ...{ domain, realm, ...digestHashes({ username, domain: realm }, password) },
      ...{ address_ha1b: atDomain.ha1b, address_ha1b_sha256: atDomain.ha1b_sha256 },
    }
  }
}

/** @throws 404 */
function known(agent: Agent | null): void {
  if (!agent) throw unknownAgent()
}

function checkCountry(code: string | undefined): void {
  if (code !== undefined && !isSupportedCountry(code)) {
    throw invalidField('country_code', `country_code ${code} is not a known country`)
  }
}

/** Maps a duplicate key to an error that names the field. */
async function refusingDuplicates<R>(
  { username, email }: { username?: string; email?: string | null },
  write: () => Promise<R>,
): Promise<R> {
  try {
    return await write()
  } catch (error) {
    const key = duplicateKey(error)
    if (key === 'agents_username') throw conflict(`The username ${username} exists in this workspace already`)
    if (key === 'agents_email') throw conflict(`The e-mail ${email} exists in this workspace already`)
    throw error
  }
}
