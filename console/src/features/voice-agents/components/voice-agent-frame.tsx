/** Frame of a voice agent's pages: its name and tabs. */
import { Tabs } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Page } from '../../../design/page'
import { UpLink } from '../../../design/up-link'
import { useTexts } from '../../../i18n/texts'
import { voiceAgentsTexts } from '../texts'

const tabs = {
  settings: '/voice-agents/$id',
  compare: '/voice-agents/$id/compare',
  tools: '/voice-agents/$id/tools',
  evaluations: '/voice-agents/$id/evaluations',
  talk: '/voice-agents/$id/talk',
} as const

export type VoiceAgentTab = keyof typeof tabs

export function VoiceAgentFrame({
  id,
  name,
  tab,
  actions,
  children,
}: {
  id: string
  /** Undefined while it is loading. */
  name: string | undefined
  tab: VoiceAgentTab
  actions?: ReactNode
  children: ReactNode
}) {
  const t = useTexts(voiceAgentsTexts)
  const navigate = useNavigate()
  return (
    <Page title={name ?? t('one')} up={<UpLink to="/voice-agents">{t('heading')}</UpLink>} actions={actions}>
      <Tabs
        value={tab}
        activateTabWithKeyboard={false}
        onChange={(next) => {
          if (next) void navigate({ to: tabs[next as VoiceAgentTab], params: { id } })
        }}
      >
        <Tabs.List mb="md">
          {(Object.keys(tabs) as VoiceAgentTab[]).map((one) => (
            <Tabs.Tab key={one} value={one}>
              {t(`tab_${one}`)}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value={tab}>{children}</Tabs.Panel>
      </Tabs>
    </Page>
  )
}
