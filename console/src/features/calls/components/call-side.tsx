import { Group } from '@mantine/core'
import { IconArrowDownLeft, IconArrowUpRight, IconHeadphones, IconPhoneX } from '@tabler/icons-react'
import { useTexts } from '../../../i18n/texts'
import type { OwnCall } from '../own-calls'
import { ownCallsTexts } from '../texts'

const pictures = {
  incoming: IconArrowDownLeft,
  outgoing: IconArrowUpRight,
  missed: IconPhoneX,
  supervision: IconHeadphones,
} as const

/** The agent's part in a call, as picture and word. */
export function Side({ call: { side, is_missed } }: { call: Pick<OwnCall, 'side' | 'is_missed'> }) {
  const t = useTexts(ownCallsTexts)
  const shown = is_missed ? 'missed' : side
  const Picture = pictures[shown]
  return (
    <Group gap={6} wrap="nowrap">
      <Picture size={16} aria-hidden style={{ flexShrink: 0 }} />
      {t(`side_${shown}`)}
    </Group>
  )
}
