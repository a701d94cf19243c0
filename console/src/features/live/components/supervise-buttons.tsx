import { ActionIcon, Group } from '@mantine/core'
import { IconEar, IconMessage2Share, IconPlayerStop, IconSpeakerphone } from '@tabler/icons-react'
import { useTexts } from '../../../i18n/texts'
import type { LiveCall } from '../board'
import { supervisionModes, useStopSupervising, useSupervise } from '../supervision'
import { liveTexts } from '../texts'

const pictures = { listen: IconEar, whisper: IconMessage2Share, barge: IconSpeakerphone }

interface SuperviseButtonsProps {
  call: LiveCall
  /** Current supervision mode of the call; null if it is not supervised here. */
  mode: (typeof supervisionModes)[number] | null
  /** Another call is active: it has to end first. */
  isDisabled: boolean
}

/** Listen, whisper, barge and stop, for one call. */
export function SuperviseButtons({ call, mode, isDisabled }: SuperviseButtonsProps) {
  const t = useTexts(liveTexts)
  const supervise = useSupervise()
  const stop = useStopSupervising()
  const who = call.agents.find(({ state }) => state === 'talking')?.display_name ?? ''
  return (
    <Group gap={4} wrap="nowrap">
      {supervisionModes.map((one) => {
        const Picture = pictures[one]
        const isPressed = one === mode
        return (
          <ActionIcon
            key={one}
            variant={isPressed ? 'filled' : 'default'}
            aria-pressed={isPressed}
            aria-label={t(one, { who })}
            title={t(`${one}Short`)}
            disabled={isDisabled}
            loading={supervise.isPending && supervise.variables.mode === one}
            onClick={() => supervise.mutate({ call, mode: one })}
          >
            <Picture size="1.125rem" />
          </ActionIcon>
        )
      })}
      {mode !== null && (
        <ActionIcon
          variant="filled"
          color="red"
          aria-label={t('stop', { who })}
          title={t('stopShort')}
          loading={stop.isPending}
          onClick={() => stop.mutate(call)}
        >
          <IconPlayerStop size="1.125rem" />
        </ActionIcon>
      )}
    </Group>
  )
}
