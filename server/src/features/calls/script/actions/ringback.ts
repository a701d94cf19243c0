/** `ringback_audio_id`: what the caller hears while a destination rings. */
import type { Owner } from '../../../../infrastructure/database/workspace-table.js'
import type { FieldProblem } from '../../../../infrastructure/http/errors.js'
import type { CallMedia } from '../../model/call-media.js'
import { type ActionContext, problem } from './action.js'

interface Params {
  ringback_audio_id?: string
}

/** The problem, if it is no audio of the workspace. */
export async function ringbackProblems(
  workspace: Owner,
  { ringback_audio_id }: Params,
  media: CallMedia,
): Promise<FieldProblem[]> {
  if (ringback_audio_id === undefined || (await media.audioFile(workspace, ringback_audio_id))) return []
  return [problem('ringback_audio_id', 'is not an audio of this workspace')]
}

/** Its file; null for the tone, and when the audio has been deleted since. */
export async function ringbackFile(
  { media, workspace }: ActionContext,
  { ringback_audio_id }: Params,
): Promise<string | null> {
  return ringback_audio_id === undefined ? null : media.audioFile(workspace, ringback_audio_id)
}
