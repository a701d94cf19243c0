/** Comparison of two versions, row by row. */
import type { ReactNode } from 'react'
import { StateBadge, Time, durationOf } from '../../../design/values'
import { useTexts } from '../../../i18n/texts'
import '../voice-agents.css'
import type { Offer, Tool, VoiceAgentDetail } from '../queries'
import { voiceAgentsTexts } from '../texts'
import { ChangedText } from './changed-text'
import { EvaluationBadge } from './evaluation-badge'
import { nameOf } from './offers'
import { PublishButton } from './publish-button'
import { turnWords } from './turn-words'

export interface ComparedRow {
  key: string
  label: string
  differs: boolean
  left: ReactNode
  right: ReactNode
}

export interface Sides {
  left: VoiceAgentDetail
  right: VoiceAgentDetail
  models: readonly Offer[]
  voices: readonly Offer[]
  tools: readonly Tool[]
}

/** Settings of both versions, with the differences. */
export function useSettingRows({ left, right, models, voices, tools }: Sides): ComparedRow[] {
  const t = useTexts(voiceAgentsTexts)
  const [a, b] = [left.settings, right.settings]
  const row = <T,>(key: string, label: string, of: (side: typeof a) => T, show: (value: T) => ReactNode) => {
    const values = [of(a), of(b)] as const
    const differs = JSON.stringify(values[0]) !== JSON.stringify(values[1])
    return { key, label, differs, left: show(values[0]), right: show(values[1]) }
  }
  const text = (key: 'greeting_message' | 'instructions', label: string): ComparedRow => ({
    ...{ key, label, differs: a[key] !== b[key] },
    left: <ChangedText left={a[key]} right={b[key]} side="left" />,
    right: <ChangedText left={a[key]} right={b[key]} side="right" />,
  })
  const turnsOf = (side: typeof a) =>
    [
      side.turn_detection && t(turnWords[side.turn_detection]),
      side.turn_eagerness && `${t('turnEagerness')}: ${t(turnWords[side.turn_eagerness])}`,
      side.turn_threshold !== null && `${t('turnThreshold')}: ${side.turn_threshold}`,
      side.turn_silence_ms !== null && `${t('turnSilence')}: ${side.turn_silence_ms}`,
      side.interruption_ms !== null && `${t('interruption')}: ${side.interruption_ms}`,
    ]
      .filter(Boolean)
      .join(', ')
  const toolName = (id: string) => tools.find((tool) => tool.id === id)?.name ?? id
  return [
    text('greeting_message', t('greeting')),
    text('instructions', t('instructions')),
    row(
      'model',
      t('model'),
      ({ model_id }) => model_id,
      (id) => nameOf(models, id),
    ),
    row(
      'voice',
      t('voice'),
      ({ voice_id }) => voice_id,
      (id) => (id ? nameOf(voices, id) : t('defaultVoice')),
    ),
    row('temperature', t('temperature'), ({ temperature }) => temperature, String),
    row(
      'duration',
      t('maxDuration'),
      (side) => side.max_call_duration_seconds,
      (seconds) => (seconds === 0 ? t('noLimit') : durationOf(seconds)),
    ),
    row(
      'noise',
      t('noiseReduction'),
      (side) => side.enable_noise_reduction,
      (isOn) => t(isOn ? 'on' : 'off'),
    ),
    row('turns', t('turnDetection'), turnsOf, (turns) => turns || t('asTheProvider')),
    row(
      'backchannels',
      t('ignoreBackchannels'),
      (side) => side.ignore_backchannels,
      (isOn) => t(isOn ? 'on' : 'off'),
    ),
    row(
      'language',
      t('language'),
      ({ language }) => language,
      (language) => language ?? t('asTheTexts'),
    ),
    row(
      'dtmf',
      t('dtmf'),
      (side) => side.enable_dtmf,
      (isOn) => t(isOn ? 'on' : 'off'),
    ),
    row(
      'tool_delay',
      t('toolDelayMessage'),
      (side) => side.tool_delay_message,
      (message) => message ?? t('usualSentence'),
    ),
    row(
      'tools',
      t('toolsOfVersion'),
      ({ tools_id }) => tools_id.map(toolName).sort(),
      (names) => names.join(', ') || '–',
    ),
  ]
}

/** Informational rows, which never count as different. */
export function useVerdictRows({
  left,
  right,
  id,
  published,
}: Pick<Sides, 'left' | 'right'> & { id: string; published: number | null }): ComparedRow[] {
  const t = useTexts(voiceAgentsTexts)
  const row = (key: string, label: string, of: (side: VoiceAgentDetail) => ReactNode): ComparedRow => ({
    ...{ key, label, differs: false, left: of(left), right: of(right) },
  })
  return [
    row('evaluation', t('evaluation'), (side) => <EvaluationBadge evaluation={side.last_evaluation} />),
    row('changed', t('changed'), ({ settings }) => <Time at={settings.updated_at} />),
    row('publish', t('publish'), ({ settings: { version }, last_evaluation: evaluation }) =>
      version === published ? (
        <StateBadge tone="good">{t('published')}</StateBadge>
      ) : (
        <PublishButton {...{ id, version, evaluation }} />
      ),
    ),
  ]
}
