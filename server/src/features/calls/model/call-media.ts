/** What calls need of the media feature: files that the switch can play. */
import type { Owner } from '../../../infrastructure/database/workspace-table.js'

export interface CallMedia {
  /** Path of an audio of the workspace, or null when it has none of that id. */
  audioFile(workspace: Owner, id: string): Promise<string | null>
  /** Renders speech, or finds it rendered, and returns the file's path. */
  speechFile(workspace: Owner, text: string, options: { voice?: string; speed?: number }): Promise<string>
  /** Whether the speech provider has such a voice. */
  hasVoice(voice: string): Promise<boolean>
}
