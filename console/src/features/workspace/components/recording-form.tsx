import { dataOf } from '@jackfield/sdk'
import { Select, SimpleGrid, Switch, TextInput, Textarea } from '@mantine/core'
import { api } from '../../../api/client'
import { workspaceQuery } from '../../../api/workspace'
import { FormFrame, useApiForm } from '../../../design/forms'
import { Picker } from '../../../design/picker'
import { useTexts } from '../../../i18n/texts'
import { audioChoices } from '../../audios/queries'
import type { Profile } from '../queries'
import { workspaceTexts } from '../texts'

const notices = ['none', 'tone', 'announcement'] as const

interface Values extends Record<string, unknown> {
  agents_pause_recordings: boolean
  voicemail_transcription: boolean
  recording_notice: Profile['recording_notice']
  recording_notice_audio_id: string | null
  recording_notice_text: string
  recording_notice_voice: string
}

function bodyOf(values: Values) {
  return {
    agents_pause_recordings: values.agents_pause_recordings,
    voicemail_transcription: values.voicemail_transcription,
    recording_notice: values.recording_notice,
    recording_notice_audio_id: values.recording_notice_audio_id,
    recording_notice_text: values.recording_notice_text || null,
    recording_notice_voice: values.recording_notice_voice || null,
  }
}

/** What parties of a recorded call hear, and who may pause its recording. */
export function RecordingForm({ profile }: { profile: Profile }) {
  const t = useTexts(workspaceTexts)
  const sending = useApiForm<Values>({
    initialValues: {
      agents_pause_recordings: profile.agents_pause_recordings,
      voicemail_transcription: profile.voicemail_transcription,
      recording_notice: profile.recording_notice,
      recording_notice_audio_id: profile.recording_notice_audio_id,
      recording_notice_text: profile.recording_notice_text ?? '',
      recording_notice_voice: profile.recording_notice_voice ?? '',
    },
    send: async (_, changed) => dataOf(api.PATCH('/profile', { body: changed(bodyOf) })),
    version: profile.updated_at,
    changes: [workspaceQuery.queryKey],
  })
  const { form } = sending
  const { recording_notice, recording_notice_audio_id } = form.getValues()
  const isSpoken = recording_notice === 'announcement' && !recording_notice_audio_id
  return (
    <FormFrame api={sending} onlyChanged>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <Select
          label={t('recordingNotice')}
          description={t('recordingNoticeHint')}
          allowDeselect={false}
          data={notices.map((value) => ({ value, label: t(`notice_${value}`) }))}
          {...form.getInputProps('recording_notice')}
        />
        {recording_notice === 'announcement' && (
          <Picker
            label={t('noticeAudio')}
            description={t('noticeAudioHint')}
            source={audioChoices}
            clearable
            {...form.getInputProps('recording_notice_audio_id')}
          />
        )}
        {isSpoken && (
          <>
            <Textarea
              label={t('noticeText')}
              description={t('noticeTextHint')}
              maxLength={500}
              autosize
              {...form.getInputProps('recording_notice_text')}
            />
            <TextInput
              label={t('noticeVoice')}
              description={t('noticeVoiceHint')}
              maxLength={100}
              {...form.getInputProps('recording_notice_voice')}
            />
          </>
        )}
      </SimpleGrid>
      <Switch
        label={t('pausedByAgents')}
        description={t('pausedByAgentsHint')}
        {...form.getInputProps('agents_pause_recordings', { type: 'checkbox' })}
      />
      <Switch
        label={t('transcribed')}
        description={t('transcribedHint')}
        {...form.getInputProps('voicemail_transcription', { type: 'checkbox' })}
      />
    </FormFrame>
  )
}
