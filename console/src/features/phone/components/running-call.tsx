/** The current call: its state and its actions. */
import { Alert, Group, Stack, Text } from '@mantine/core'
import {
  IconArrowForwardUp,
  IconDialpad,
  IconMicrophone,
  IconMicrophoneOff,
  IconPhoneOff,
  IconPlayerPause,
  IconPlayerPlay,
} from '@tabler/icons-react'
import { useTimeout } from '@mantine/hooks'
import { useState, useSyncExternalStore } from 'react'
import { PhoneNumber, StateBadge } from '../../../design/values'
import { useTexts } from '../../../i18n/texts'
import type { AppCallState } from '../../../media/app-call'
import { type CurrentCall, phone } from '../phone'
import { CallKeys } from './call-keys'
import { CallRecording } from './call-recording'
import { useFocusIfLost } from './focus-if-lost'
import { phoneTexts } from '../texts'
import { HandoverForm } from './handover-form'
import { HandoverNews } from './handover-news'
import { LevelBar } from './level-bar'
import { PhoneButton, PhoneTool } from './phone-button'
import { type Shortcut, usePhoneShortcuts } from './shortcuts'
import { TalkTime } from '../../../design/talk-time'

/** Two clicks within this are one double click. */
const doubleClickMs = 700

interface RunningCallProps {
  current: CurrentCall
  run: (work: () => Promise<void>) => void
}

export function RunningCall({ current, run }: RunningCallProps) {
  const t = useTexts(phoneTexts)
  const { call, other, kind, mode, handover, handovers } = current
  const state = useSyncExternalStore(call.subscribe, call.snapshot)
  const [showsKeys, setShowsKeys] = useState(false)
  const [handsOver, setHandsOver] = useState(false)
  const talking = state.at === 'talking' ? state : null
  const isTalk = talking !== null && kind !== 'supervision'
  /** The call is answered and connected. */
  const mayHold = isTalk && current.since !== null && !talking.isAway
  const isNamed = other.name !== '' && other.name !== other.number
  const heading = useFocusIfLost<HTMLParagraphElement>()
  const act: Record<Shortcut, () => void> = {
    answer: () => undefined,
    hangUp: () => phone.hangUp(),
    mute: () => isTalk && call.mute(!talking.isMuted),
    hold: () => mayHold && call.hold(!talking.isHeld),
  }
  usePhoneShortcuts((shortcut) => act[shortcut]())
  // It stands where "Answer" stood: the second click of a double click is not for it.
  const [isNew, setIsNew] = useState(kind === 'inbound')
  useTimeout(() => setIsNew(false), doubleClickMs, { autoInvoke: true })
  return (
    <Stack gap="xs">
      <Group justify="space-between" wrap="nowrap" gap="xs">
        <Stack gap={0} style={{ minWidth: 0 }}>
          <Text ref={heading} tabIndex={-1} fw={600} truncate>
            {isNamed ? other.name : other.number ? <PhoneNumber number={other.number} /> : t('unknownCaller')}
          </Text>
          {isNamed && <PhoneNumber number={other.number} />}
        </Stack>
        {current.since !== null && <TalkTime since={current.since} />}
      </Group>
      <div role="status">
        <CallState current={current} state={state} />
      </div>
      <CallRecording current={current} />
      {talking?.microphone && (
        <Alert color="red" role="alert">
          {t('microphoneLost')} {t(`microphone_${talking.microphone}`)}
        </Alert>
      )}
      {talking?.refusal && (
        <Alert
          color="yellow"
          role="alert"
          withCloseButton
          closeButtonLabel={t('dismiss')}
          onClose={() => call.dismissRefusal()}
        >
          {talking.refusal}
        </Alert>
      )}
      {mode && (
        <Text size="sm" c="dimmed">
          {t(`${mode}Mode`)}
        </Text>
      )}
      <LevelBar label={t('microphoneLevel')} meter={call.microphone} />
      <LevelBar label={t('otherLevel')} meter={call.heard} />
      {isTalk && (
        <Group gap={6} grow wrap="nowrap">
          <PhoneTool
            label={t(talking.isMuted ? 'unmute' : 'mute')}
            shortcut="mute"
            variant={talking.isMuted ? 'filled' : 'default'}
            onClick={act.mute}
            icon={talking.isMuted ? <IconMicrophoneOff size={20} /> : <IconMicrophone size={20} />}
          />
          {current.since !== null && (
            <PhoneTool
              label={t(talking.isHeld ? 'unhold' : 'hold')}
              shortcut="hold"
              disabled={!mayHold}
              variant={talking.isHeld ? 'filled' : 'default'}
              onClick={act.hold}
              icon={talking.isHeld ? <IconPlayerPlay size={20} /> : <IconPlayerPause size={20} />}
            />
          )}
          <PhoneTool
            label={t('keypad')}
            variant={showsKeys ? 'filled' : 'default'}
            disabled={talking.isAway}
            aria-expanded={showsKeys}
            onClick={() => setShowsKeys(!showsKeys)}
            icon={<IconDialpad size={20} />}
          />
          {current.since !== null && (
            <PhoneTool
              label={t('handOver')}
              disabled={handover !== null}
              onClick={() => setHandsOver(true)}
              icon={<IconArrowForwardUp size={20} />}
            />
          )}
        </Group>
      )}
      {isTalk && showsKeys && !talking.isAway && <CallKeys onPress={(key) => call.dtmf(key)} />}
      {handover && <HandoverNews handover={handover} handovers={handovers} run={run} />}
      <PhoneButton
        label={t(kind === 'supervision' ? 'stopSupervision' : 'hangUp')}
        shortcut="hangUp"
        color="red"
        leftSection={<IconPhoneOff size={18} />}
        onClick={act.hangUp}
        {...(isNew && { style: { pointerEvents: 'none' } })}
      >
        {t(kind === 'supervision' ? 'stopSupervision' : 'hangUp')}
      </PhoneButton>
      {handsOver && <HandoverForm handovers={handovers} onClose={() => setHandsOver(false)} />}
    </Stack>
  )
}

function CallState({ current, state }: { current: CurrentCall; state: AppCallState }) {
  const t = useTexts(phoneTexts)
  if (state.at !== 'talking') return <StateBadge tone="busy">{t('connecting')}</StateBadge>
  if (state.isAway) return <StateBadge tone="warn">{t('reconnecting')}</StateBadge>
  if (state.isHeld) return <StateBadge tone="warn">{t('held')}</StateBadge>
  if (state.isMuted) return <StateBadge tone="warn">{t('muted')}</StateBadge>
  if (current.kind === 'supervision') return <StateBadge tone="busy">{t('supervision')}</StateBadge>
  if (current.since === null) return <StateBadge tone="busy">{t('calling')}</StateBadge>
  return <StateBadge tone="good">{t('talking')}</StateBadge>
}
