import { durationOf } from '../../../design/values'
import { useSecondsSince } from '../clock'

/** Elapsed time, counting: `1:05`. */
export function Since({ at }: { at: string | null }) {
  return at === null ? <span>–</span> : <Counting at={at} />
}

function Counting({ at }: { at: string }) {
  const seconds = useSecondsSince(at)
  return (
    <time dateTime={at} style={{ fontVariantNumeric: 'tabular-nums' }}>
      {durationOf(seconds)}
    </time>
  )
}
