/** What a workspace lets the parties of its recorded calls hear. */
import type { AudioService } from '../../features/audio/audio.service.js'
import type { Speech } from '../../features/audio/speech.js'
import { noticeTextOf } from '../../features/recordings/notice-texts.js'
import { type NoticeSound, noticeTone } from '../../features/recordings/recording-notices.js'
import type { WorkspaceService } from '../../features/workspaces/workspace.service.js'
import type { Owner } from '../../infrastructure/database/workspace-table.js'

interface Sources {
  workspaces: Pick<WorkspaceService, 'find'>
  audios: Pick<AudioService, 'fileOf'>
  speech: Pick<Speech, 'render'>
}

export function recordingNotices({ workspaces, audios, speech }: Sources) {
  return async ({ id }: Owner): Promise<NoticeSound | null> => {
    const workspace = await workspaces.find(id)
    if (!workspace || workspace.recording_notice === 'none') return null
    if (workspace.recording_notice === 'tone') return { kind: 'tone', source: noticeTone }
    const { recording_notice_audio_id: audio, recording_notice_voice: voice } = workspace
    // Without its audio, which may have been deleted, the text is spoken.
    const file = audio === null ? null : await audios.fileOf({ id }, audio)
    const text = workspace.recording_notice_text ?? noticeTextOf(voice)
    const speak = async () =>
      speech.render({ text, ...(voice !== null && { voice }) }, { workspaceId: id, lane: 'live' })
    return { kind: 'announcement', source: file ?? (await speak()) }
  }
}
