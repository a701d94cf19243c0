import { ScrollArea } from '@mantine/core'
import { durationOf } from '../../../design/values'
import { useTexts } from '../../../i18n/texts'
import { type Ladder, type Rung, ladderOf } from '../ladder'
import type { CallDetail, CallEvent, CallLeg } from '../workspace-calls'
import { callsTexts, callWords } from '../texts'
import { briefOf, titleOf } from './event-text'

/** Pixels. */
const [timeWidth, lineGap, headHeight, rungHeight] = [64, 190, 56, 34]

/** Characters that fit beside a line. */
const room = 26

interface CallLadderProps {
  call: CallDetail
  events: readonly CallEvent[]
}

export function CallLadder({ call, events }: CallLadderProps) {
  const t = useTexts(callsTexts)
  const ladder = ladderOf(call, events)
  const width = timeWidth + ladder.lines.length * lineGap
  const height = headHeight + (ladder.rungs.length + 1) * rungHeight
  const label = t('ladderOf', { count: call.legs.length })
  const begin = new Date(call.created_at).getTime()
  return (
    <ScrollArea type="auto" viewportProps={{ tabIndex: 0, role: 'region', 'aria-label': label }}>
      <svg
        width={width}
        height={height}
        viewBox={`0 0 ${String(width)} ${String(height)}`}
        role="img"
        aria-label={label}
        style={{ display: 'block', fontSize: 12, fill: 'var(--mantine-color-text)' }}
      >
        {ladder.lines.map((leg, line) => (
          <Line key={leg?.id ?? 'platform'} leg={leg} x={placeOf(line)} height={height} />
        ))}
        {ladder.rungs.map((rung, index) => (
          <g key={rung.key} transform={`translate(0 ${String(headHeight + (index + 1) * rungHeight)})`}>
            <text x={4} y={4} fill="var(--mantine-color-dimmed)">
              {durationOf((rung.at - begin) / 1000)}
            </text>
            <Step rung={rung} ladder={ladder} />
          </g>
        ))}
      </svg>
    </ScrollArea>
  )
}

function placeOf(line: number): number {
  return timeWidth + line * lineGap + lineGap / 2
}

function Line({ leg, x, height }: { leg: CallLeg | null; x: number; height: number }) {
  const t = useTexts(callWords)
  const role = leg && (leg.voice_agent_id ? t('voice_agent') : t(leg.role))
  const name = leg ? (leg.name ?? leg.number) : 'Jackfield'
  return (
    <g textAnchor="middle">
      <text x={x} y={18} fontWeight={600}>
        <Cut words={name} />
      </text>
      {leg && (
        <text x={x} y={34} fill="var(--mantine-color-dimmed)">
          <Cut words={[role, leg.name ? leg.number : ''].filter(Boolean).join(' · ')} />
        </text>
      )}
      <line
        x1={x}
        x2={x}
        y1={44}
        y2={height}
        stroke="var(--mantine-color-dimmed)"
        strokeDasharray={leg ? undefined : '4 3'}
      />
    </g>
  )
}

function Step({ rung, ladder }: { rung: Rung; ladder: Ladder }) {
  const t = useTexts(callsTexts)
  const words = useTexts(callWords)
  const x = placeOf(rung.line)
  if (rung.event) {
    return (
      <>
        <circle cx={x} r={4} fill="var(--mantine-color-body)" stroke="var(--mantine-color-text)" />
        <Label x={x} words={[titleOf(words, rung.event), briefOf(rung.event)].filter(Boolean).join(' · ')} />
      </>
    )
  }
  const platform = placeOf(ladder.lines.indexOf(null))
  const [from, to] = rung.isInward ? [x, platform] : [platform, x]
  return (
    <>
      <line
        x1={from}
        x2={to}
        stroke={rung.step === 'ends' ? 'var(--mantine-color-error)' : 'var(--mantine-color-anchor)'}
        strokeWidth={2}
        strokeDasharray={rung.step === 'ends' ? '5 3' : undefined}
      />
      {rung.step === 'ends' ? <Cross x={x} /> : <Head x={to} from={from} />}
      <Label
        x={Math.min(from, to) + Math.abs(to - from) / 2}
        words={[t(`leg_${rung.step ?? 'calls'}`), rung.cause].filter(Boolean).join(': ')}
      />
    </>
  )
}

/** Labels have the page's background, so that no line crosses them. */
function Label({ x, words }: { x: number; words: string }) {
  return (
    <text
      x={x}
      y={-7}
      textAnchor="middle"
      stroke="var(--mantine-color-body)"
      strokeWidth={4}
      style={{ paintOrder: 'stroke' }}
    >
      <Cut words={words} />
    </text>
  )
}

function Head({ x, from }: { x: number; from: number }) {
  const side = from < x ? -8 : 8
  return <path d={`M${String(x)} 0 l${String(side)} -5 v10 z`} fill="var(--mantine-color-anchor)" />
}

function Cross({ x }: { x: number }) {
  return (
    <path
      d={`M${String(x - 5)} -5 l10 10 m0 -10 l-10 10`}
      stroke="var(--mantine-color-error)"
      strokeWidth={2}
    />
  )
}

/** Truncated to the space; the title has the full text. */
function Cut({ words }: { words: string }) {
  if (words.length <= room) return words
  return (
    <>
      {`${words.slice(0, room - 1)}…`}
      <title>{words}</title>
    </>
  )
}
