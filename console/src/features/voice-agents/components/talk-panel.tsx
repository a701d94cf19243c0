/** A test call with a version: microphone, call and transcript. */
import { dataOf } from '@jackfield/sdk'
import { Alert, Button, Card, Group, Select, Stack } from '@mantine/core'
import { IconMicrophone, IconMicrophoneOff, IconPhoneOff } from '@tabler/icons-react'
import { useCallback, useEffect, useState } from 'react'
import { api } from '../../../api/client'
import { useTexts } from '../../../i18n/texts'
import type { AppCallState } from '../../../media/app-call'
import { CallStateBadge } from '../../../media/call-state-badge'
import { LevelMeter } from '../../../media/level-meter'
import { microphones } from '../../../media/microphone'
import { type TrialCall, type TrialProblem, useTrialCall } from '../../../media/use-trial-call'
import { voiceAgentsTexts } from '../texts'
import { TalkOutcome } from './talk-outcome'
import { TalkTranscript } from './talk-transcript'

interface TalkPanelProps {
  id: string
  version: number
  /** Called when a call starts and when it ends. */
  onRunning: (isRunning: boolean) => void
}

export function TalkPanel({ id, version, onRunning }: TalkPanelProps) {
  const t = useTexts(voiceAgentsTexts)
  const make = useCallback(
    async () => dataOf(api.POST('/voice-agents/{id}/talk', { params: { path: { id } }, body: { version } })),
    [id, version],
  )
  const { current, state, isStarting, problem, start } = useTrialCall(make)
  const [microphoneId, setMicrophoneId] = useState<string | null>(null)
  const devices = useMicrophones(current !== null)
  const isRunning = state !== undefined && state.at !== 'ended'
  const isUnderWay = isStarting || isRunning
  useEffect(() => onRunning(isUnderWay), [isUnderWay, onRunning])
  return (
    <Card withBorder padding="md">
      <Stack>
        {devices.length > 1 && (
          <Select
            label={t('microphone')}
            placeholder={t('usualMicrophone')}
            data={devices}
            value={microphoneId}
            onChange={setMicrophoneId}
            disabled={isRunning}
            clearable
            clearButtonProps={{ 'aria-label': t('usualMicrophone') }}
          />
        )}
        {problem && (
          <Alert color="red" role="alert">
            <ProblemText problem={problem} />
          </Alert>
        )}
        {!isRunning && (
          <Button
            leftSection={<IconMicrophone size={18} />}
            loading={isStarting}
            onClick={() => start(microphoneId ?? undefined)}
            style={{ alignSelf: 'flex-start' }}
          >
            {t(current ? 'talkAgain' : 'startTalk', { version })}
          </Button>
        )}
        {current && state && <RunningTalk trial={current} state={state} />}
        {current && state?.at === 'ended' && <TalkOutcome callId={current.callId} />}
        {current && <TalkTranscript callId={current.callId} isLive={isRunning} />}
      </Stack>
    </Card>
  )
}

function ProblemText({ problem }: { problem: TrialProblem }) {
  const t = useTexts(voiceAgentsTexts)
  return 'message' in problem ? problem.message : t(`microphone_${problem.microphone}`)
}

/** Browsers reveal device names only after access to one was granted. */
function useMicrophones(wereAllowed: boolean): { value: string; label: string }[] {
  const [found, setFound] = useState<{ value: string; label: string }[]>([])
  useEffect(() => {
    let isOver = false
    const look = () =>
      void microphones()
        .then((all) => {
          const named = all.filter(({ label }) => label !== '')
          if (!isOver) setFound(named.map(({ deviceId, label }) => ({ value: deviceId, label })))
        })
        .catch(() => undefined)
    look()
    const devices = navigator.mediaDevices as MediaDevices | undefined
    devices?.addEventListener('devicechange', look)
    return () => {
      isOver = true
      devices?.removeEventListener('devicechange', look)
    }
  }, [wereAllowed])
  return found
}

function RunningTalk({ trial: { call }, state }: { trial: TrialCall; state: AppCallState }) {
  const t = useTexts(voiceAgentsTexts)
  return (
    <Stack gap="sm">
      <Group role="status">
        <CallStateBadge
          state={state}
          talking={t(state.at === 'talking' && state.isMuted ? 'talkingMuted' : 'talking')}
        />
      </Group>
      {state.at !== 'ended' && (
        <>
          <LevelMeter label={t('you')} meter={call.microphone} />
          <LevelMeter label={t('voiceAgent')} meter={call.heard} />
          <Group>
            {state.at === 'talking' && (
              <Button
                variant="default"
                leftSection={state.isMuted ? <IconMicrophoneOff size={18} /> : <IconMicrophone size={18} />}
                aria-pressed={state.isMuted}
                onClick={() => call.mute(!state.isMuted)}
              >
                {t('mute')}
              </Button>
            )}
            <Button color="red" leftSection={<IconPhoneOff size={18} />} onClick={() => call.hangUp()}>
              {t('hangUp')}
            </Button>
          </Group>
        </>
      )}
    </Stack>
  )
}
