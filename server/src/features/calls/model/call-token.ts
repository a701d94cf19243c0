import type { AppUser } from './app-user.js'

/** Claims of an app's call token. */
export interface CallTokenClaims extends AppUser {
  readonly workspace_id: string
  readonly call_id: string
  /** Channel id of the app's leg, now or later. */
  readonly fs_uuid: string
  /** Set for a supervisor's leg. */
  readonly mode?: 'listen' | 'whisper' | 'barge'
  /** The credential that the token was issued for, and expires with. */
  readonly credential?: string
}
