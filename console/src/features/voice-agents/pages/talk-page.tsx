import { Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { Answered } from '../../../design/page'
import { useTexts } from '../../../i18n/texts'
import { TalkPanel } from '../components/talk-panel'
import { VersionPicker } from '../components/version-picker'
import { VoiceAgentFrame } from '../components/voice-agent-frame'
import { versionsQuery, voiceAgentQuery } from '../queries'
import { voiceAgentsTexts } from '../texts'

export function TalkPage() {
  const t = useTexts(voiceAgentsTexts)
  const { id } = useParams({ from: '/shell/admin/voice-agents/$id/talk' })
  const { version } = useSearch({ from: '/shell/admin/voice-agents/$id/talk' })
  const navigate = useNavigate({ from: '/voice-agents/$id/talk' })
  const agent = useQuery(voiceAgentQuery(id))
  const [isRunning, setRunning] = useState(false)
  const versions = useQuery(versionsQuery(id))
  return (
    <VoiceAgentFrame id={id} name={agent.data?.name} tab="talk">
      <Stack maw={720}>
        <Text c="dimmed">{t('talkHint')}</Text>
        <Answered query={agent}>
          {({ published_version: published, settings }) => {
            const chosen = version ?? settings.version
            return (
              <>
                <VersionPicker
                  label={t('versionHead')}
                  versions={versions.data?.data ?? [settings]}
                  published={published}
                  value={chosen}
                  disabled={isRunning}
                  onChange={(next) => void navigate({ search: { version: next } })}
                />
                <TalkPanel key={chosen} id={id} version={chosen} onRunning={setRunning} />
              </>
            )
          }}
        </Answered>
      </Stack>
    </VoiceAgentFrame>
  )
}
