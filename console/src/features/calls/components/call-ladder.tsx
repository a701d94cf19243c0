import { Box, ScrollArea } from '@mantine/core'
import { useElementSize } from '@mantine/hooks'
import { causeInWords } from '../../../api/call-words/causes'
import { durationOf, useSpacedNumbers } from '../../../design/values'
import { useTexts } from '../../../i18n/texts'
import { type Ladder, type Party, type Rung, ladderOf } from '../ladder'
import type { CallDetail, CallEvent } from '../workspace-calls'
import { callsTexts, callWords } from '../texts'
import { briefOf, titleOf } from './event-text'

/** Pixels. */
const [timeWidth, headHeight, rungHeight] = [64, 56, 34]
/** Between two lines: as much as the page has room for, within these. */
const [leastGap, mostGap] = [190, 360]
/** Of a character, on average. */
const charWidth = 7

interface CallLadderProps {
  call: CallDetail
  events: readonly CallEvent[]
}

export function CallLadder({ call, events }: CallLadderProps) {
  const t = useTexts(callsTexts)
  const ladder = ladderOf(call, events)
  const { ref, width: free } = useElementSize()
  const gap = Math.min(mostGap, Math.max(leastGap, Math.floor((free - timeWidth) / ladder.lines.length)))
  const width = timeWidth + ladder.lines.length * gap
  const placeOf = (line: number) => timeWidth + line * gap + gap / 2
  const height = headHeight + (ladder.rungs.length + 1) * rungHeight
  // Without the platform.
  const label = t('ladderOf', { count: ladder.lines.length - 1 })
  const begin = new Date(call.created_at).getTime()
  return (
    <Box ref={ref}>
      <ScrollArea type="auto" viewportProps={{ tabIndex: 0, role: 'region', 'aria-label': label }}>
        <svg
          width={width}
          height={height}
          viewBox={`0 0 ${String(width)} ${String(height)}`}
          role="img"
          aria-label={label}
          style={{ display: 'block', fontSize: 12, fill: 'var(--mantine-color-text)' }}
        >
          {ladder.lines.map((party, line) => (
            <Line
              key={party?.key ?? 'platform'}
              party={party}
              x={placeOf(line)}
              height={height}
              room={gap / charWidth}
            />
          ))}
          {ladder.rungs.map((rung, index) => (
            <g key={rung.key} transform={`translate(0 ${String(headHeight + (index + 1) * rungHeight)})`}>
              <text x={4} y={4} fill="var(--mantine-color-dimmed)">
                {exactly(rung.at - begin)}
              </text>
              <Step rung={rung} ladder={ladder} placeOf={placeOf} width={width} />
            </g>
          ))}
        </svg>
      </ScrollArea>
    </Box>
  )
}

/** Signalling takes less than a second: `0:03.4`. */
function exactly(ms: number): string {
  const tenths = Math.floor(Math.max(0, ms) / 100)
  return `${durationOf(tenths / 10)}.${String(tenths % 10)}`
}

interface LineProps {
  party: Party | null
  x: number
  height: number
  room: number
}

function Line({ party, x, height, room }: LineProps) {
  const t = useTexts(callWords)
  const name = party ? (party.name ?? t('deleted')) : 'Jackfield'
  return (
    <g textAnchor="middle">
      <text x={x} y={18} fontWeight={600}>
        <Cut words={name} room={room} />
      </text>
      {party && (
        <text x={x} y={34} fill="var(--mantine-color-dimmed)">
          <Cut words={[t(party.role), party.number].filter(Boolean).join(' · ')} room={room} />
        </text>
      )}
      <line
        x1={x}
        x2={x}
        y1={44}
        y2={height}
        stroke="var(--mantine-color-dimmed)"
        strokeDasharray={party ? undefined : '4 3'}
      />
    </g>
  )
}

interface StepProps {
  rung: Rung
  ladder: Ladder
  placeOf: (line: number) => number
  /** Of the drawing. */
  width: number
}

function Step({ rung, ladder, placeOf, width }: StepProps) {
  const t = useTexts(callsTexts)
  const words = useTexts(callWords)
  const x = placeOf(rung.line)
  if (rung.event) {
    return (
      <>
        <circle cx={x} r={4} fill="var(--mantine-color-body)" stroke="var(--mantine-color-text)" />
        <Label
          x={x}
          room={(2 * Math.min(x - timeWidth, width - x)) / charWidth}
          words={[titleOf(words, rung.event), briefOf(rung.event)].filter(Boolean).join(' · ')}
        />
      </>
    )
  }
  const platform = placeOf(ladder.lines.indexOf(null))
  const name = ladder.lines[rung.line]?.name ?? words('deleted')
  const reason = rung.result ? t(`offer_${rung.result}`) : rung.cause && causeInWords(rung.cause)
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
        room={Math.abs(to - from) / charWidth}
        words={[t(`leg_${rung.step ?? 'calls'}`, { name }), reason].filter(Boolean).join(': ')}
      />
    </>
  )
}

/** Labels have the page's background, so that no line crosses them. */
function Label({ x, room, words }: { x: number; room: number; words: string }) {
  return (
    <text
      x={x}
      y={-7}
      textAnchor="middle"
      stroke="var(--mantine-color-body)"
      strokeWidth={4}
      style={{ paintOrder: 'stroke' }}
    >
      <Cut words={words} room={room} />
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

/** Truncated to the space, in characters; the title has the full text. */
function Cut({ words: text, room }: { words: string; room: number }) {
  const [words = text] = useSpacedNumbers([text])
  if (words.length <= room) return words
  return (
    <>
      {`${words.slice(0, Math.max(1, Math.floor(room) - 1))}…`}
      <title>{words}</title>
    </>
  )
}
