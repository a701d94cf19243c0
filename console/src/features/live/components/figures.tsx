/** Figures of the board, large enough for a wall screen. */
import { Card, Group, SimpleGrid, Stack, Text } from '@mantine/core'
import {
  type Icon,
  IconClockPause,
  IconHeadset,
  IconHourglass,
  IconPhoneCall,
  IconPhoneRinging,
  IconPlugConnectedX,
  IconUserCheck,
  IconUserMinus,
} from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { countOf } from '../../../design/values'
import { useTexts } from '../../../i18n/texts'
import { stateWords } from '../../presence/texts'
import type { Figures } from '../board'
import { liveTexts } from '../texts'
import { Since } from './since'

export function FigureTiles({ figures }: { figures: Figures }) {
  const t = useTexts(liveTexts)
  const words = useTexts(stateWords)
  const { states, calls, waiting, waitingSince } = figures
  return (
    <SimpleGrid cols={{ base: 2, sm: 4, lg: 8 }} spacing="sm">
      <Tile icon={IconPhoneCall} label={t('calls')} value={countOf(calls)} />
      <Tile icon={IconClockPause} label={t('waiting')} value={countOf(waiting)} />
      <Tile icon={IconHourglass} label={t('longestWait')} value={<Since at={waitingSince} />} />
      <Tile icon={IconUserCheck} label={words('available')} value={countOf(states.available)} />
      <Tile icon={IconPhoneRinging} label={words('ringing')} value={countOf(states.ringing)} />
      <Tile icon={IconHeadset} label={words('incall')} value={countOf(states.incall)} />
      <Tile icon={IconUserMinus} label={words('busy')} value={countOf(states.busy)} />
      <Tile icon={IconPlugConnectedX} label={words('offline')} value={countOf(states.offline)} />
    </SimpleGrid>
  )
}

function Tile({ icon: Picture, label, value }: { icon: Icon; label: string; value: ReactNode }) {
  return (
    <Card withBorder padding="sm" role="group" aria-label={label}>
      <Group justify="space-between" wrap="nowrap" align="flex-start" gap="xs">
        <Stack gap={0} style={{ minWidth: 0 }}>
          <Text size="sm" c="dimmed">
            {label}
          </Text>
          <Text
            fz="clamp(1.5rem, 2.4vw, 3rem)"
            fw={600}
            lh={1.2}
            style={{ fontVariantNumeric: 'tabular-nums' }}
          >
            {value}
          </Text>
        </Stack>
        <Picture size="1.25rem" aria-hidden style={{ flexShrink: 0, opacity: 0.7 }} />
      </Group>
    </Card>
  )
}
