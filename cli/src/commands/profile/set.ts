import { choice, list, optionalText, text, yesNo } from '../../lib/fields.js'
import { setCommand } from '../../lib/resource-commands.js'
import { readableProfile } from '../../resources/profile.js'
import { retentionFlags } from '../../resources/retention.js'

export default setCommand('/profile', {
  summary: 'Change a workspace’s title, country or settings',
  examples: [
    'profile set --workspace acme --title "Acme Inc."',
    'profile set --workspace acme --calls-kept 90 --messages-kept 90 --recordings-kept none',
  ],
  fields: {
    title: text('title', 'name that people read'),
    country: text('country_code', 'two-letter country code', { helpValue: '<US>' }),
    'leaders-only-own-teams': yesNo(
      'leaders_only_own_teams',
      'whether leaders and supervisors manage only teams that they are members of',
    ),
    'transfers-by': choice('transfers_by', 'which agents may hand over a call', ['any_agent', 'involved']),
    'agents-pause-recordings': yesNo(
      'agents_pause_recordings',
      'whether agents may pause the recording of the call that they are in',
    ),
    'voicemail-transcription': yesNo(
      'voicemail_transcription',
      'whether voicemails are transcribed, where an AI provider has speech to text',
    ),
    'away-reasons': list('away_reasons', 'why agents may be away'),
    'recording-notice': choice('recording_notice', 'what all parties of a recorded call hear', [
      'none',
      'tone',
      'announcement',
    ]),
    'recording-notice-audio': optionalText(
      'recording_notice_audio_id',
      'audio that announces the recording, in place of the text',
      { helpValue: '<aud_…>' },
    ),
    'recording-notice-text': optionalText('recording_notice_text', 'text that announces the recording'),
    'recording-notice-voice': optionalText('recording_notice_voice', 'voice of espeak-ng that speaks it', {
      helpValue: '<de>',
    }),
    'emergency-gateway': optionalText(
      'emergency_gateway_id',
      'outbound gateway that emergency calls of phones try first',
      { helpValue: '<gw_…>' },
    ),
    ...retentionFlags,
  },
  readable: readableProfile,
})
