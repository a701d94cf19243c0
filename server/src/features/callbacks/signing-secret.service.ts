/** The secrets that callbacks are signed with: one a workspace, made when it is first needed. */
import { randomBytes } from 'node:crypto'
import { recordChange } from '../../infrastructure/database/audit.js'
import type { Database } from '../../infrastructure/database/database.js'
import type { SecretBox } from '../../infrastructure/database/secrets.js'
import type { Owner } from '../../infrastructure/database/workspace-table.js'
import { purposes } from '../../infrastructure/database/sealed-columns.js'
import { SigningSecret } from './signing-secret.entity.js'

export class SigningSecretService {
  constructor(
    private readonly database: Database,
    private readonly secrets: SecretBox,
  ) {}

  /** When the secret was made that callbacks are signed with; null before the first one. */
  async madeAt(workspace: Owner): Promise<Date | null> {
    return (await this.find(workspace))?.created_at ?? null
  }

  /** The secret in clear, for signing. */
  async secretOf(workspace: Owner): Promise<string> {
    const row = (await this.find(workspace)) ?? (await this.make(workspace))
    return this.secrets.open(row.secret, purposes.signingSecret(workspace.id))
  }

  /** Puts another secret in the place of the one before; it is returned this once. */
  async rotate(workspace: Owner): Promise<{ secret: string; madeAt: Date }> {
    const { secret, row } = this.newSecret(workspace)
    await this.database.transaction(async (tx) => {
      await tx.upsert(SigningSecret, row, ['workspace_id'])
      await recordChange(tx, {
        workspace_id: workspace.id,
        action: 'signing_secret.rotate',
        target: { type: 'signing_secret', id: workspace.id },
        changes: { secret: { to: '(hidden)' } },
      })
    })
    return { secret, madeAt: row.created_at }
  }

  private async find(workspace: Owner): Promise<SigningSecret | null> {
    return this.database.platformTable(SigningSecret).findOneBy({ workspace_id: workspace.id })
  }

  /** The first one to write it wins: concurrent callbacks are signed alike. */
  private async make(workspace: Owner): Promise<SigningSecret> {
    const { row } = this.newSecret(workspace)
    const table = this.database.platformTable(SigningSecret)
    await table.createQueryBuilder().insert().values(row).orIgnore().execute()
    return table.findOneByOrFail({ workspace_id: workspace.id })
  }

  private newSecret(workspace: Owner): { secret: string; row: SigningSecret } {
    const secret = `cbsec_${randomBytes(32).toString('base64url')}`
    const sealed = this.secrets.seal(secret, purposes.signingSecret(workspace.id))
    return { secret, row: { workspace_id: workspace.id, secret: sealed, created_at: new Date() } }
  }
}
