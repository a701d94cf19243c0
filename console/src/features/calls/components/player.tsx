/** Plays a recording beside its waveform. */
import { ActionIcon, Box, Group, Select, Slider, Stack, Text, useComputedColorScheme } from '@mantine/core'
import { IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react'
import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react'
import WaveSurfer from 'wavesurfer.js'
import { durationOf } from '../../../design/values'
import { useTexts } from '../../../i18n/texts'
import type { Position } from '../position'
import { recordingTexts } from '../texts'
import { useObjectUrl } from '../use-object-url'

export interface PlayerProps {
  recording: { id: string; created_at: string; duration: number | null }
  sound: Blob
  /** Plays as soon as it is loaded: the user has pressed play. */
  isBegun?: boolean
  /** Start position, if the user has clicked a place. */
  sought?: Position | null
  onPosition?: (position: Position) => void
  /** Further actions. */
  children?: ReactNode
}

const speeds = ['0.75', '1', '1.25', '1.5', '2'] as const

/** Seconds. A longer recording gets no waveform: it would be decoded as a whole, into memory. */
const longestDrawn = 1_800

/** Samples a second of the waveform. */
const drawnRate = 8_000

export default function Player({
  recording,
  sound,
  isBegun = false,
  sought = null,
  onPosition,
  children,
}: PlayerProps) {
  const t = useTexts(recordingTexts)
  const place = useRef<HTMLDivElement>(null)
  const [audio, setAudio] = useState<HTMLAudioElement | null>(null)
  const url = useObjectUrl(sound)
  const [isPlaying, setPlaying] = useState(false)
  const [seconds, setSeconds] = useState(0)
  const [speed, setSpeed] = useState<string>('1')
  const duration = recording.duration ?? 0
  const isDrawn = duration <= longestDrawn
  const colours = useWaveColours()

  useEffect(() => {
    const container = place.current
    if (!audio || !url || !container || !isDrawn) return
    let isOver = false
    let wave: WaveSurfer | undefined
    // Without peaks the library fetches the blob: URL, which the page's CSP forbids.
    peaksOf(sound)
      .then((drawn) => {
        if (isOver) return
        wave = WaveSurfer.create({
          ...{ container, media: audio, ...drawn, ...colours },
          ...{ height: drawn.peaks.length > 1 ? 56 : 96, barWidth: 2, barGap: 1, barRadius: 2 },
          ...(drawn.peaks.length > 1 && { splitChannels: drawn.peaks.map(() => colours) }),
        })
      })
      // Without a waveform the recording can still be played.
      .catch(() => undefined)
    return () => {
      isOver = true
      wave?.destroy()
    }
  }, [audio, url, sound, isDrawn, colours])

  const report = useEffectEvent((at: number) => {
    setSeconds(at)
    onPosition?.({ recordingId: recording.id, beganAt: Date.parse(recording.created_at), seconds: at })
  })
  useEffect(() => report(0), [recording.id])
  const seek = useEffectEvent((to: Position) => {
    if (!audio || to.recordingId !== recording.id) return
    audio.currentTime = to.seconds
    void audio.play().catch(() => undefined)
  })
  useEffect(() => {
    if (sought) seek(sought)
  }, [sought])

  const toggle = () => {
    if (!audio) return
    if (audio.paused) void audio.play().catch(() => undefined)
    else audio.pause()
  }
  return (
    <Stack gap="sm">
      <audio
        ref={setAudio}
        src={url}
        preload="auto"
        autoPlay={isBegun}
        onPlay={() => setPlaying(true)}
        onPause={() => setPlaying(false)}
        onTimeUpdate={({ currentTarget }) => report(currentTarget.currentTime)}
      />
      {isDrawn ? (
        <Box ref={place} aria-hidden data-waveform mih={96} />
      ) : (
        <Text c="dimmed" size="sm">
          {t('tooLong')}
        </Text>
      )}
      <Group gap="sm" wrap="nowrap">
        <ActionIcon
          size="lg"
          variant="filled"
          autoFocus={isBegun}
          aria-label={t(isPlaying ? 'pause' : 'play')}
          onClick={toggle}
        >
          {isPlaying ? <IconPlayerPause size={20} /> : <IconPlayerPlay size={20} />}
        </ActionIcon>
        <Slider
          style={{ flex: 1, minWidth: 60 }}
          thumbLabel={t('position')}
          min={0}
          max={Math.max(1, duration)}
          step={1}
          label={durationOf}
          value={Math.min(seconds, duration)}
          onChange={(to) => {
            if (audio) audio.currentTime = to
          }}
        />
        <Text size="sm" style={{ fontVariantNumeric: 'tabular-nums', whiteSpace: 'nowrap' }}>
          {durationOf(seconds)} / {durationOf(duration)}
        </Text>
      </Group>
      <Group gap="sm">
        <Select
          aria-label={t('speed')}
          w={96}
          size="xs"
          allowDeselect={false}
          data={speeds.map((value) => ({ value, label: `${value}×` }))}
          value={speed}
          onChange={(value) => {
            setSpeed(value ?? '1')
            if (audio) audio.playbackRate = Number(value ?? '1')
          }}
        />
        {children}
      </Group>
    </Stack>
  )
}

async function peaksOf(sound: Blob): Promise<{ peaks: Float32Array[]; duration: number }> {
  const decoder = new OfflineAudioContext(1, 1, drawnRate)
  const decoded = await decoder.decodeAudioData(await sound.arrayBuffer())
  const peaks = Array.from({ length: decoded.numberOfChannels }, (_, index) => decoded.getChannelData(index))
  return { peaks, duration: decoded.duration }
}

/** A canvas cannot use CSS variables. */
function useWaveColours(): { waveColor: string; progressColor: string; cursorColor: string } {
  const scheme = useComputedColorScheme('light')
  const [colours, setColours] = useState(() => readColours())
  useEffect(() => setColours(readColours()), [scheme])
  return colours
}

function readColours() {
  const style = getComputedStyle(document.documentElement)
  const of = (name: string) => style.getPropertyValue(name).trim()
  return {
    waveColor: of('--mantine-color-gray-5'),
    progressColor: of('--mantine-primary-color-filled'),
    cursorColor: of('--mantine-color-text'),
  }
}
