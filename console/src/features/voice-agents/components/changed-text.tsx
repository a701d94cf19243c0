import { Text } from '@mantine/core'
import { type DiffPart, diffOf } from './words-diff'

/** One side of a text diff, with its own changes marked. */
export function ChangedText({ left, right, side }: { left: string; right: string; side: 'left' | 'right' }) {
  const own: DiffPart['kind'] = side === 'left' ? 'removed' : 'added'
  const Mark = side === 'left' ? 'del' : 'ins'
  const parts = diffOf(left, right).filter(({ kind }) => kind === 'same' || kind === own)
  return (
    <Text component="div" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
      {parts.map(({ kind, text }, index) =>
        kind === 'same' ? (
          // Parts have no ids and are never reordered: the index is the key.
          <span key={index}>{text}</span>
        ) : (
          <Mark key={index} className={`jf-${own}`}>
            {text}
          </Mark>
        ),
      )}
    </Text>
  )
}
