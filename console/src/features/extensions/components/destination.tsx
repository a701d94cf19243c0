import { Group, Text } from '@mantine/core'
import { useTexts } from '../../../i18n/texts'
import type { Extension } from '../queries'
import { extensionsTexts } from '../texts'

/** Destination of an extension and its kind. */
export function Destination({ extension }: { extension: Extension }) {
  const t = useTexts(extensionsTexts)
  const { destination, agent, team, sip_account, voice_agent } = extension
  const name = agent?.display_name ?? team?.title ?? sip_account?.title ?? voice_agent?.name
  return (
    <Group gap={6}>
      <Text span size="sm" {...(name === undefined && { c: 'red' })}>
        {name ?? t('deleted')}
      </Text>
      <Text span size="xs" c="dimmed">
        {t(destination)}
      </Text>
    </Group>
  )
}
