/** Push credentials: the keys with which customers' apps are woken. */
import type { Logger } from 'pino'
import { In } from 'typeorm'
import type { Database } from '../../infrastructure/database/database.js'
import type { SecretBox } from '../../infrastructure/database/secrets.js'
import { purposes } from '../../infrastructure/database/sealed-columns.js'
import { ValidationError } from '../../infrastructure/http/errors.js'
import { type ResourceRow, ResourceService } from '../../infrastructure/resources/resource-service.js'
import { type InUse, namedUsers } from '../../infrastructure/resources/in-use.js'
import { type ReadKey, readApnsKey, readServiceAccount } from './key-material.js'
import { PushCredential } from './push-credential.entity.js'
import { pushCredentialResource } from './push-credential.resource.js'
import type { CreatePushCredential, UpdatePushCredential } from './push-credential.schema.js'

const required: Record<PushCredential['platform'], readonly (keyof CreatePushCredential)[]> = {
  ios: ['ios_key_id', 'ios_team_id', 'ios_private_key', 'ios_bundle_id', 'ios_environment'],
  android: ['android_service_account'],
}

const nothing = {
  ios_key_id: null,
  ios_team_id: null,
  ios_bundle_id: null,
  ios_environment: null,
  android_project_id: null,
  android_client_email: null,
  android_package_name: null,
}

/** The time of a repeated error is written no more often than this. */
const notedEveryMs = 60_000

export class PushCredentialService extends ResourceService<
  PushCredential,
  CreatePushCredential,
  UpdatePushCredential
> {
  constructor(
    database: Database,
    private readonly secrets: SecretBox,
    inUse: InUse,
    max: number,
    private readonly log: Logger,
  ) {
    super(pushCredentialResource, { database, max })
    inUse.register('api_key', async (workspace, api_key_sid) => {
      const credentials = await this.table.findAll(workspace, { api_key_sid }, namedUsers)
      return credentials.map(({ name }) => `the push credential ${name}`)
    })
  }

  /** @throws 400 */
  protected rowOf(base: ResourceRow, input: CreatePushCredential): PushCredential {
    const { name, api_key_sid, platform, ...material } = input
    checkFields(platform, material)
    const missing = required[platform].filter((field) => input[field] === undefined)
    if (missing.length > 0) {
      throw new ValidationError(
        missing.map((field) => ({ field, messages: [`${field} is required for the platform ${platform}`] })),
      )
    }
    const { key_fingerprint = '', private_key = '', ...fields } = this.fieldsOf(base.id, material)
    return {
      ...{ ...base, name, api_key_sid, platform },
      ...nothing,
      ...fields,
      ...{ key_fingerprint, private_key },
      ...{ last_error: null, last_error_at: null },
    }
  }

  /** New keys hold from the next push on. @throws 400 */
  protected changesOf(
    { name, api_key_sid, ...material }: UpdatePushCredential,
    { id, platform }: PushCredential,
  ): Partial<PushCredential> {
    checkFields(platform, material)
    return {
      ...(name !== undefined && { name }),
      ...(api_key_sid !== undefined && { api_key_sid }),
      ...this.fieldsOf(id, material),
      ...(Object.keys(material).length > 0 && { last_error: null, last_error_at: null }),
    }
  }

  /** All credentials of some workspaces, newest first, by workspace: what pushes are sent with. */
  async ofWorkspaces(workspaces: readonly string[]): Promise<Map<string, PushCredential[]>> {
    const rows = await this.database.platformTable(PushCredential).find({
      where: { workspace_id: In([...workspaces]) },
      order: { created_at: 'DESC', id: 'DESC' },
    })
    const found = new Map<string, PushCredential[]>(workspaces.map((id) => [id, []]))
    for (const row of rows) found.get(row.workspace_id)?.push(row)
    return found
  }

  /** Shows the workspace why a push service refuses the credential; the log has it once. */
  async noteRefusal(credential: PushCredential, reason: string): Promise<void> {
    const { id, workspace_id, last_error, last_error_at } = credential
    const isKnown = last_error === reason
    if (isKnown && last_error_at && Date.now() - last_error_at.getTime() < notedEveryMs) return
    if (!isKnown)
      this.log.warn(
        { event: 'push.refused', credential: id, workspace: workspace_id, reason },
        'push refused',
      )
    await this.noteError(credential, reason, new Date())
  }

  /** The credential works (again). */
  async noteSuccess(credential: PushCredential): Promise<void> {
    if (credential.last_error !== null) await this.noteError(credential, null, null)
  }

  /** Not audited: no one has changed anything. */
  private async noteError(
    { id, workspace_id, key_fingerprint }: PushCredential,
    last_error: string | null,
    last_error_at: Date | null,
  ): Promise<void> {
    // An error of an older key says nothing about its replacement.
    await this.database
      .platformTable(PushCredential)
      .update({ id, workspace_id, key_fingerprint }, { last_error, last_error_at })
  }

  /** The columns of what was sent; keys are read and encrypted. @throws 400 */
  private fieldsOf(
    id: string,
    { ios_private_key, android_service_account, ...fields }: Material,
  ): Partial<PushCredential> {
    if (ios_private_key !== undefined) return { ...fields, ...this.sealed(id, readApnsKey(ios_private_key)) }
    if (android_service_account === undefined) return fields
    const account = readServiceAccount(android_service_account)
    return {
      ...fields,
      android_project_id: account.projectId,
      android_client_email: account.clientEmail,
      ...this.sealed(id, account),
    }
  }

  private sealed(id: string, { privateKey, fingerprint }: ReadKey) {
    return {
      key_fingerprint: fingerprint,
      private_key: this.secrets.seal(privateKey, purposes.pushCredential(id)),
    }
  }
}

type Material = Omit<UpdatePushCredential, 'name' | 'api_key_sid'>

/** @throws 400 naming each field of the other platform */
function checkFields(platform: PushCredential['platform'], material: Material): void {
  const foreign = Object.keys(material).filter((field) => !field.startsWith(`${platform}_`))
  if (foreign.length === 0) return
  throw new ValidationError(
    foreign.map((field) => ({ field, messages: [`${field} does not belong to the platform ${platform}`] })),
  )
}
