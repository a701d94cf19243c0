/** Microphone and speaker settings of the phone, with a test. */
import { Alert, Button, Card, Group, Select, Stack, Text, Title } from '@mantine/core'
import { IconBell, IconMicrophone, IconVolume } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { useTexts } from '../../../i18n/texts'
import { Meter } from '../../../media/meter'
import { microphones, openMicrophone, speakers } from '../../../media/microphone'
import { stopSound } from '../../../media/sound'
import { playTestTone } from '../engine/ring-tone'
import { useSoundChoice } from '../engine/sound-choice'
import { phone } from '../phone'
import { problemOf } from '../phone-problem'
import { phoneTexts } from '../texts'
import { LevelBar } from './level-bar'

interface Device {
  value: string
  label: string
}

export function SoundSettings() {
  const t = useTexts(phoneTexts)
  const choice = useSoundChoice()
  const [problem, setProblem] = useState<string | null>(null)
  const [meter, setMeter] = useState<Meter | null>(null)
  const stopTest = useRef<(() => void) | null>(null)
  // The user may leave the page during the browser's permission prompt.
  const isOver = useRef(false)
  const devices = useDevices(meter !== null)
  const run = (work: () => Promise<void>) => {
    setProblem(null)
    work().catch((error: unknown) => setProblem(problemOf(error)))
  }
  const endTest = () => {
    stopTest.current?.()
    stopTest.current = null
    setMeter(null)
  }
  const test = async (microphoneId: string | undefined) => {
    const sound = await openMicrophone(microphoneId)
    if (isOver.current) {
      stopSound(sound)
      return
    }
    endTest()
    const made = new Meter()
    made.follow(sound)
    stopTest.current = () => {
      made.close()
      stopSound(sound)
    }
    setMeter(made)
  }
  useEffect(() => {
    isOver.current = false
    return () => {
      isOver.current = true
      stopTest.current?.()
    }
  }, [])
  return (
    <Card withBorder component="section" aria-label={t('activeDevices')}>
      <Stack>
        <Title order={2} size="h4">
          {t('activeDevices')}
        </Title>
        {problem && (
          <Alert color="red" role="alert">
            {problem}
          </Alert>
        )}
        <DeviceSelect
          label={t('microphone')}
          devices={devices.microphones}
          value={choice.microphoneId}
          onChange={(id) =>
            run(async () => {
              await phone.chooseMicrophone(id)
              if (meter) await test(id)
            })
          }
        />
        {meter && <LevelBar label={t('microphoneLevel')} meter={meter} />}
        <Group>
          <Button
            variant="default"
            leftSection={<IconMicrophone size={18} />}
            onClick={() => (meter ? endTest() : run(async () => test(choice.microphoneId)))}
          >
            {t(meter ? 'stopTest' : 'testMicrophone')}
          </Button>
        </Group>
        {devices.speakers.length > 0 && (
          <DeviceSelect
            label={t('speaker')}
            devices={devices.speakers}
            value={choice.speakerId}
            onChange={(id) => run(async () => phone.chooseSpeaker(id))}
          />
        )}
        <Group>
          <Button variant="default" leftSection={<IconVolume size={18} />} onClick={playTestTone}>
            {t('playTone')}
          </Button>
        </Group>
        <Notifications />
      </Stack>
    </Card>
  )
}

interface DeviceSelectProps {
  label: string
  devices: Device[]
  value: string | undefined
  onChange: (id: string | undefined) => void
}

function DeviceSelect({ label, devices, value, onChange }: DeviceSelectProps) {
  const t = useTexts(phoneTexts)
  return (
    <Select
      label={label}
      data={[{ value: '', label: t('browserChoice') }, ...devices]}
      value={devices.some((device) => device.value === value) ? (value ?? '') : ''}
      onChange={(id) => onChange(id || undefined)}
      allowDeselect={false}
    />
  )
}

function Notifications() {
  const t = useTexts(phoneTexts)
  const [permission, setPermission] = useState(
    'Notification' in window ? Notification.permission : ('denied' as const),
  )
  if (permission === 'default') {
    return (
      <Group>
        <Button
          variant="default"
          leftSection={<IconBell size={18} />}
          onClick={() => void Notification.requestPermission().then(setPermission)}
        >
          {t('allowNotifications')}
        </Button>
      </Group>
    )
  }
  return (
    <Text size="sm" c="dimmed">
      {t(permission === 'granted' ? 'notificationsOn' : 'notificationsBlocked')}
    </Text>
  )
}

/** Browsers reveal device names only after access to one was granted. */
function useDevices(wereAllowed: boolean): { microphones: Device[]; speakers: Device[] } {
  const [found, setFound] = useState<{ microphones: Device[]; speakers: Device[] }>({
    microphones: [],
    speakers: [],
  })
  useEffect(() => {
    let isOver = false
    const named = (all: MediaDeviceInfo[]) =>
      all.filter(({ label }) => label !== '').map(({ deviceId, label }) => ({ value: deviceId, label }))
    const look = () =>
      void Promise.all([microphones(), speakers()])
        .then(([heard, played]) => {
          if (!isOver) setFound({ microphones: named(heard), speakers: named(played) })
        })
        .catch(() => undefined)
    look()
    const all = navigator.mediaDevices as MediaDevices | undefined
    all?.addEventListener('devicechange', look)
    return () => {
      isOver = true
      all?.removeEventListener('devicechange', look)
    }
  }, [wereAllowed])
  return found
}
